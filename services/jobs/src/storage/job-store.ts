import { type Sql, sql } from '@tally/service-kit';
import type { State } from '../domain/job-state.js';
import type { JobQuery, JobStore, Owned, Versioned } from '../domain/ports.js';
import type { JobWithTasks, TaskColumns } from '../domain/task.js';
import type { Database } from './database.js';
import { JOB_COLUMNS, type JobRow, toJob } from './job-row.js';
import { listJobs } from './list-jobs.js';
import { readUnlessKnown } from './read-unless-known.js';

export function createJobStore(database: Database): JobStore {
  return {
    findJob: (query, knownVersion) => findJob(database, query, knownVersion),
    explainMiss: (query) => explainMiss(database, query),
    listRunners: (query) => listRunners(database, query),
    listJobs: (query, knownVersion) => listJobs(database, query, knownVersion),
    compactCounts: async () => {
      await database.run(foldCounts());
    },
  };
}

const isOnPlatform = ({ platform }: JobQuery) =>
  sql`(${platform ?? null}::text IS NULL OR platform = ${platform ?? null}::text)`;

async function explainMiss(database: Database, query: JobQuery): Promise<'foreign' | 'missing'> {
  const found = await database.run(sql`
    SELECT 1 FROM jobs WHERE job_id = ${query.jobId} AND ${isOnPlatform(query)}`);
  return found > 0 ? 'foreign' : 'missing';
}

/** Tasks as JSON brings them: moments in milliseconds, numbers that may be large as text. */
interface ColumnsJson {
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

const toColumns = (json: ColumnsJson): TaskColumns => ({
  taskIds: json.taskIds,
  states: json.states,
  requestedPrimaries: json.requested.map(BigInt),
  simulatedPrimaries: json.simulated.map(BigInt),
  estimatedSeconds: json.estimates,
  startTimesMs: json.starts,
  endTimesMs: json.ends,
  lastUpdateTimesMs: json.updates,
  attemptCounts: json.attempts,
  failures: new Map(Object.entries(json.failures ?? {}).map(([taskId, failure]) => [Number(taskId), failure])),
});

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
async function findJob(
  database: Database,
  query: JobQuery,
  knownVersion: string,
): Promise<Owned<Versioned<JobWithTasks>>> {
  const shown = sql<JobRow & { readonly columns: ColumnsJson }>`
    SELECT ${JOB_COLUMNS}, 1 AS place, (
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
  const found = await readUnlessKnown(database, shown, knownVersion);
  if (found === undefined) return { kind: await explainMiss(database, query) };
  const row = found.rows?.[0];
  const job = row && { ...toJob(row), tasks: toColumns(row.columns) };
  return { kind: 'own', value: { version: found.version, shown: job } };
}

async function listRunners(database: Database, query: JobQuery): ReturnType<JobStore['listRunners']> {
  const rows = await database.rows(sql<{ readonly runnerId: string | null; readonly taskCount: number }>`
    SELECT runner_id AS "runnerId", count(*)::int AS "taskCount"
    FROM ${ownJob(query)} CROSS JOIN LATERAL (SELECT current_attempt_id FROM tasks WHERE job_key = jobs.id OFFSET 0) task
    ${CURRENT_ATTEMPT}
    GROUP BY runner_id ORDER BY runner_id`);
  if (rows.length === 0) return { kind: await explainMiss(database, query) };
  const value = rows.flatMap(({ runnerId, taskCount }) => (runnerId === null ? [] : [{ runnerId, taskCount }]));
  return { kind: 'own', value };
}

/** A pair of owner and state with more rows than this is folded into one. */
const LEDGER_ROWS_MAX = 16;

/** Concurrent folds are harmless: of the same row only one of them deletes it, and each adds what it deleted. */
const foldCounts = (): Sql => sql`
  WITH long AS (
    SELECT owner_id, state FROM job_counts GROUP BY owner_id, state HAVING count(*) > ${LEDGER_ROWS_MAX} LIMIT 1000
  ), gone AS (
    DELETE FROM job_counts USING long
    WHERE job_counts.owner_id = long.owner_id AND job_counts.state = long.state
    RETURNING job_counts.owner_id, job_counts.state, job_count
  )
  INSERT INTO job_counts (owner_id, state, job_count)
  SELECT owner_id, state, sum(job_count) FROM gone GROUP BY owner_id, state HAVING sum(job_count) <> 0`;
