import { sql } from '@tally/service-kit';
import { type Executables, parseExecutables, writeExecutables } from '@tally/simulators';
import { CONFINEMENT_NAMES, type RunnerStore } from '../domain/ports.js';
import type { Database } from './database.js';

interface RunnerRow {
  readonly executables: string;
  readonly confinement: string;
  readonly isRefusingFiles: boolean;
  readonly slotCount: number;
}

/** A simulator and its version, as one entry of the list of a runner. */
interface ExecutableRow {
  readonly executable: string;
  readonly seenAt: Date;
  readonly runnerCount: number;
}

/** How much older than its last report an executable may look, milliseconds: many runners report the same one. */
const SEEN_STEP_MS = 10_000;

const namesOf = (executables: Executables) =>
  writeExecutables(executables)
    .split(',')
    .filter((name) => name !== '');

function readExecutable(text: string) {
  const [only] = parseExecutables(text) ?? [];
  if (only === undefined) throw new Error(`${text} is no executable`);
  const [simulator, version] = only;
  return { simulator, version };
}

export function createRunnerStore(database: Database): RunnerStore {
  return {
    report: async (runnerId, { executables, confinement, isRefusingFiles, slotCount }, expiryMs) => {
      // what has expired is nobody's any more; a runner that comes back writes its row anew
      await database.run(sql`
        WITH gone AS (DELETE FROM runners WHERE expires_at < now() AND runner_id <> ${runnerId}), known AS (
          INSERT INTO simulators (executable, seen_at)
          SELECT executable, now() FROM unnest(${namesOf(executables)}::text[]) AS reported (executable) ORDER BY executable
          ON CONFLICT (executable) DO UPDATE SET seen_at = EXCLUDED.seen_at
          WHERE simulators.seen_at < EXCLUDED.seen_at - ${SEEN_STEP_MS}::float8 * interval '1 ms'
        )
        INSERT INTO runners (runner_id, executables, confinement, is_refusing_files, slot_count, expires_at)
        VALUES (${runnerId}, ${writeExecutables(executables)}, ${confinement ?? ''}, ${isRefusingFiles}, ${slotCount}, now() + ${expiryMs}::float8 * interval '1 ms')
        ON CONFLICT (runner_id) DO UPDATE
        SET executables = EXCLUDED.executables, confinement = EXCLUDED.confinement,
          is_refusing_files = EXCLUDED.is_refusing_files, slot_count = EXCLUDED.slot_count, expires_at = EXCLUDED.expires_at`);
    },
    listExecutables: async () => {
      const rows = await database.rows(sql<ExecutableRow>`
        SELECT executable, seen_at AS "seenAt", (
          SELECT count(*)::int FROM runners
          WHERE expires_at > now() AND executable = ANY(string_to_array(executables, ','))) AS "runnerCount"
        FROM simulators ORDER BY executable`);
      return rows.map(({ executable, ...rest }) => ({ ...readExecutable(executable), ...rest }));
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
