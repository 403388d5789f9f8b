import { type Sql, sql } from '@tally/service-kit';
import type { JobQuery, JobStore, Owned } from '../domain/ports.js';
import type { JobWithTasks, Task } from '../domain/task.js';
import type { Database } from './database.js';
import { JOB_COLUMNS, type JobRow, toJob } from './job-row.js';
import { listJobs } from './list-jobs.js';

export function createJobStore(database: Database): JobStore {
  return {
    findJob: (query) => findJob(database, query),
    explainMiss: (query) => explainMiss(database, query),
    listJobs: (query) => listJobs(database, query),
    compactCounts: async () => {
      await database.run(foldCounts());
    },
  };
}

const isOnPlatform = ({ platform }: JobQuery) =>
  sql`(${platform ?? null}::text IS NULL OR platform = ${platform ?? null}::text)`;

async function explainMiss(database: Database, query: JobQuery): Promise<'foreign' | 'missing'> {
  const found = await database.run(sql`
    SELECT 1 FROM simulations WHERE job_id = ${query.jobId} AND ${isOnPlatform(query)}`);
  return found > 0 ? 'foreign' : 'missing';
}

/** A task as JSON brings it: moments in milliseconds, numbers that may be large as text. */
type TaskJson = readonly [
  taskId: number,
  state: Task['state'],
  requestedPrimaries: string,
  simulatedPrimaries: string,
  estimatedSeconds: number | null,
  startTimeMs: number | null,
  endTimeMs: number | null,
  lastUpdateTimeMs: number,
  failure: string | null,
  attemptCount: number,
];

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));

const toTask = ([
  taskId,
  state,
  requested,
  simulated,
  estimate,
  start,
  end,
  update,
  failure,
  attempts,
]: TaskJson): Task => ({
  taskId,
  state,
  requestedPrimaries: BigInt(requested),
  simulatedPrimaries: BigInt(simulated),
  estimatedSeconds: estimate,
  startTime: toDate(start),
  endTime: toDate(end),
  lastUpdateTime: new Date(update),
  failure,
  attemptCount: attempts,
});

const inMs = (column: Sql) => sql`(extract(epoch FROM ${column}) * 1000)::bigint`;

/**
 * One statement, so that job and tasks are of one moment; a job always has a task. One row, tasks as JSON: a tenth of what
 * a thousand rows cost here.
 */
async function findJob(database: Database, query: JobQuery): Promise<Owned<JobWithTasks>> {
  const row = await database.row(sql<JobRow & { readonly tasks: readonly TaskJson[] }>`
    SELECT ${JOB_COLUMNS}, (
      SELECT json_agg(json_build_array(tasks.task_id, tasks.state, requested_primaries::text, simulated_primaries::text,
        estimated_seconds, ${inMs(sql`tasks.start_time`)}, ${inMs(sql`tasks.end_time`)}, ${inMs(sql`last_update_time`)},
        tasks.failure, coalesce(attempts.number, 0)) ORDER BY tasks.task_id)
      FROM tasks LEFT JOIN attempts ON attempts.id = tasks.celery_id
      WHERE tasks.simulation_id = simulations.id) AS tasks
    FROM simulations
    WHERE job_id = ${query.jobId} AND owner_id = ${query.ownerId} AND ${isOnPlatform(query)}`);
  if (row === undefined) return { kind: await explainMiss(database, query) };
  const { tasks, ...job } = row;
  return { kind: 'own', value: { ...toJob(job), tasks: tasks.map(toTask) } };
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
