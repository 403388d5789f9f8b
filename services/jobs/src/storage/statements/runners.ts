import { type Sql, sql } from '@tally/service-kit';
import type { RunnerReport } from '../../domain/ports.js';

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

/** What a runner reports; its executables as one text. */
interface ReportedRunner extends Omit<RunnerReport, 'executables'> {
  readonly executables: string;
}

/** Stores a report. It reads no other runner's row: ten thousand of them report every few seconds. */
export const putRunner = (
  runnerId: string,
  { executables, confinement, isRefusingFiles, slotCount }: ReportedRunner,
  expiryMs: number,
): Sql<{ readonly isDraining: boolean }> => sql<{ readonly isDraining: boolean }>`
  WITH known AS (
    INSERT INTO simulators (executable, seen_at)
    SELECT executable, now() FROM unnest(string_to_array(${executables}::text, ',')) AS reported (executable) ORDER BY executable
    ON CONFLICT (executable) DO UPDATE SET seen_at = EXCLUDED.seen_at
    WHERE simulators.seen_at < EXCLUDED.seen_at - ${SEEN_STEP_MS}::float8 * interval '1 ms'
  )
  INSERT INTO runners (runner_id, executables, confinement, is_refusing_files, slot_count, expires_at)
  VALUES (${runnerId}, ${executables}, ${confinement ?? ''}, ${isRefusingFiles}, ${slotCount}, now() + ${expiryMs}::float8 * interval '1 ms')
  ON CONFLICT (runner_id) DO UPDATE
  SET executables = EXCLUDED.executables, confinement = EXCLUDED.confinement,
    is_refusing_files = EXCLUDED.is_refusing_files, slot_count = EXCLUDED.slot_count, expires_at = EXCLUDED.expires_at
  RETURNING draining_since IS NOT NULL AS "isDraining"`;

/** Every executable that a runner ever reported, with the number of live runners that have it: counted once for all that have the same. */
export const listExecutables = (): Sql<ExecutableRow> => sql`
  WITH live AS MATERIALIZED (
    SELECT executables, count(*) AS n FROM runners WHERE expires_at > now() GROUP BY executables
  )
  SELECT executable, seen_at AS "seenAt", (
    SELECT coalesce(sum(n), 0)::int FROM live WHERE executable = ANY(string_to_array(executables, ','))) AS "runnerCount"
  FROM simulators ORDER BY executable`;

/** Runners that have reported lately, those that are alike as one with the slots of all. */
export const listLiveRunners = (): Sql<RunnerRow> => sql`
  SELECT executables, confinement, is_refusing_files AS "isRefusingFiles", sum(slot_count)::int AS "slotCount"
  FROM runners WHERE expires_at > now() GROUP BY executables, confinement, is_refusing_files ORDER BY executables, confinement`;

/** What has expired is nobody's any more: a runner that comes back writes its row anew. */
export const deleteExpiredRunners = (): Sql => sql`DELETE FROM runners WHERE expires_at < now()`;
