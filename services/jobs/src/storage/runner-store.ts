import { sql } from '@tally/service-kit';
import { parseExecutables, writeExecutables } from '@tally/simulators';
import type { RunnerStore } from '../domain/ports.js';
import type { Database } from './database.js';

export function createRunnerStore(database: Database): RunnerStore {
  return {
    report: async (runnerId, executables, expiryMs) => {
      // what has expired is nobody's any more; a runner that comes back writes its row anew
      await database.run(sql`
        WITH gone AS (DELETE FROM runners WHERE expires_at < now() AND runner_id <> ${runnerId})
        INSERT INTO runners (runner_id, executables, expires_at)
        VALUES (${runnerId}, ${writeExecutables(executables)}, now() + ${expiryMs}::float8 * interval '1 ms')
        ON CONFLICT (runner_id) DO UPDATE
        SET executables = EXCLUDED.executables, expires_at = EXCLUDED.expires_at`);
    },
    listLive: async () => {
      const rows = await database.rows(sql<{ readonly executables: string }>`
        SELECT executables FROM runners WHERE expires_at > now() ORDER BY runner_id`);
      return rows.map(({ executables: text }) => {
        const executables = parseExecutables(text);
        if (executables === undefined) throw new Error(`a runner has the executables ${text}`);
        return executables;
      });
    },
  };
}
