import { type Sql, sql } from '@tally/service-kit';
import type { State } from '../../domain/job-state.js';
import type { JobQuery } from '../../domain/ports.js';
import { JOB_COLUMNS, type JobRow } from './job-row.js';

export interface ColumnsJson {
  readonly taskIds: readonly number[];
  readonly states: readonly State[];
  readonly requested: readonly string[];
  readonly simulated: readonly string[];
  readonly estimates: readonly (number | null)[];
  readonly starts: readonly (number | null)[];
  readonly ends: readonly (number | null)[];
  readonly updates: readonly number[];
  readonly attempts: readonly number[];
  readonly failures: Readonly<Record<string, string>> | null;
}

/** On the platform that is asked for, if one is. */
const isOnPlatform = ({ platform }: JobQuery) =>
  sql`(${platform ?? null}::text IS NULL OR platform = ${platform ?? null}::text)`;

/** By floating point, which is exact to the millisecond and faster than the numeric of EXTRACT. */
const inMs = (column: Sql) => sql`(date_part('epoch', ${column}) * 1000)::bigint`;

/** A user's job by its id: by its owner the planner may find all of his. */
const ownJob = ({ jobId, ownerId }: JobQuery) => sql`
  (SELECT * FROM (SELECT * FROM jobs WHERE job_id = ${jobId} OFFSET 0) job WHERE owner_id = ${ownerId}) jobs`;

/** The attempt of each task: a join may read all attempts there are, where the planner knows their table as almost empty. */
const CURRENT_ATTEMPT = sql`LEFT JOIN LATERAL (
  SELECT number, runner_id FROM attempts WHERE id = task.current_attempt_id OFFSET 0) attempt ON true`;

/**
 * One statement, so that job and tasks are of one moment; a job always has a task. One row, tasks as columns of JSON:
 * each row of an answer costs much more here.
 */
export const showJob = (
  query: JobQuery,
): Sql<JobRow & { readonly columns: ColumnsJson; readonly note: string | null }> => sql`
  SELECT ${JOB_COLUMNS}, jobs.note, 1 AS place, (
    SELECT json_build_object('taskIds', json_agg(task_id), 'states', json_agg(state),
      'requested', json_agg(requested_primaries::text), 'simulated', json_agg(simulated_primaries::text),
      'estimates', json_agg(estimated_seconds), 'starts', json_agg(start_ms), 'ends', json_agg(end_ms),
      'updates', json_agg(update_ms), 'attempts', json_agg(attempt_count),
      'failures', json_object_agg(task_id, failure) FILTER (WHERE failure IS NOT NULL))
    FROM (
      SELECT task_id, state, requested_primaries, simulated_primaries, estimated_seconds,
        ${inMs(sql`start_time`)} AS start_ms, ${inMs(sql`end_time`)} AS end_ms,
        ${inMs(sql`last_update_time`)} AS update_ms, coalesce(attempt.number, 0) AS attempt_count, failure
      FROM tasks task ${CURRENT_ATTEMPT}
      WHERE job_key = jobs.id ORDER BY task_id) task) AS columns
  FROM ${ownJob(query)} WHERE ${isOnPlatform(query)}`;

/** How many tasks each runner has, or had last; a job without attempts has one row. */
export const listRunners = (
  query: JobQuery,
): Sql<{ readonly runnerId: string | null; readonly taskCount: number }> => sql`
  SELECT runner_id AS "runnerId", count(*)::int AS "taskCount"
  FROM ${ownJob(query)} CROSS JOIN LATERAL (SELECT current_attempt_id FROM tasks WHERE job_key = jobs.id OFFSET 0) task
  ${CURRENT_ATTEMPT}
  GROUP BY runner_id ORDER BY runner_id`;

/** A pair of owner and state with more rows than this is folded into one. */
const LEDGER_ROWS_MAX = 16;

/** Concurrent folds are harmless: of the same row only one of them deletes it, and each adds what it deleted. */
export const foldCounts = (): Sql => sql`
  WITH long AS (
    SELECT owner_id, state FROM job_counts GROUP BY owner_id, state HAVING count(*) > ${LEDGER_ROWS_MAX} LIMIT 1000
  ), gone AS (
    DELETE FROM job_counts USING long
    WHERE job_counts.owner_id = long.owner_id AND job_counts.state = long.state
    RETURNING job_counts.owner_id, job_counts.state, job_count
  )
  INSERT INTO job_counts (owner_id, state, job_count)
  SELECT owner_id, state, sum(job_count) FROM gone GROUP BY owner_id, state HAVING sum(job_count) <> 0`;
