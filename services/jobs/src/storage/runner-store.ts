import { sql } from '@tally/service-kit';
import { parseExecutables, writeExecutables } from '@tally/simulators';
import { CONFINEMENT_NAMES, type RunnerStore } from '../domain/ports.js';
import type { Database } from './database.js';

interface RunnerRow {
  readonly executables: string;
  readonly confinement: string;
  readonly isRefusingFiles: boolean;
  readonly slotCount: number;
}

export function createRunnerStore(database: Database): RunnerStore {
  return {
    report: async (runnerId, { executables, confinement, isRefusingFiles, slotCount }, expiryMs) => {
      // what has expired is nobody's any more; a runner that comes back writes its row anew
      await database.run(sql`
        WITH gone AS (DELETE FROM runners WHERE expires_at < now() AND runner_id <> ${runnerId})
        INSERT INTO runners (runner_id, executables, confinement, is_refusing_files, slot_count, expires_at)
        VALUES (${runnerId}, ${writeExecutables(executables)}, ${confinement ?? ''}, ${isRefusingFiles}, ${slotCount}, now() + ${expiryMs}::float8 * interval '1 ms')
        ON CONFLICT (runner_id) DO UPDATE
        SET executables = EXCLUDED.executables, confinement = EXCLUDED.confinement,
          is_refusing_files = EXCLUDED.is_refusing_files, slot_count = EXCLUDED.slot_count, expires_at = EXCLUDED.expires_at`);
    },
    listLive: async () => {
      const rows = await database.rows(sql<RunnerRow>`
        SELECT executables, confinement, is_refusing_files AS "isRefusingFiles", slot_count AS "slotCount"
        FROM runners WHERE expires_at > now() ORDER BY runner_id`);
      return rows.map(({ executables: text, confinement, isRefusingFiles, slotCount }) => {
        const executables = parseExecutables(text);
        if (executables === undefined) throw new Error(`a runner has the executables ${text}`);
        const name = CONFINEMENT_NAMES.find((known) => known === confinement);
        return { executables, confinement: name, isRefusingFiles, slotCount };
      });
    },
  };
}
