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

type JobWithTaskRow = JobRow & {
  readonly taskId: number;
  readonly taskState: Task['state'];
  readonly requestedPrimaries: bigint;
  readonly simulatedPrimaries: bigint;
  readonly estimatedSeconds: number | null;
  readonly taskStartTime: Date | null;
  readonly taskEndTime: Date | null;
  readonly lastUpdateTime: Date;
  readonly taskFailure: string | null;
  readonly attemptCount: number;
};

const toTask = (row: JobWithTaskRow): Task => ({
  taskId: row.taskId,
  state: row.taskState,
  requestedPrimaries: row.requestedPrimaries,
  simulatedPrimaries: row.simulatedPrimaries,
  estimatedSeconds: row.estimatedSeconds,
  startTime: row.taskStartTime,
  endTime: row.taskEndTime,
  lastUpdateTime: row.lastUpdateTime,
  failure: row.taskFailure,
  attemptCount: row.attemptCount,
});

/** One statement, so that job and tasks are of one moment; a job always has a task. */
async function findJob(database: Database, query: JobQuery): Promise<Owned<JobWithTasks>> {
  const rows = await database.rows(sql<JobWithTaskRow>`
    SELECT ${JOB_COLUMNS}, tasks.task_id AS "taskId", tasks.state AS "taskState",
      requested_primaries AS "requestedPrimaries", simulated_primaries AS "simulatedPrimaries",
      estimated_seconds AS "estimatedSeconds", tasks.start_time AS "taskStartTime", tasks.end_time AS "taskEndTime",
      last_update_time AS "lastUpdateTime", tasks.failure AS "taskFailure", coalesce(attempts.number, 0) AS "attemptCount"
    FROM simulations
    JOIN tasks ON tasks.simulation_id = simulations.id
    LEFT JOIN attempts ON attempts.id = tasks.celery_id
    WHERE job_id = ${query.jobId} AND owner_id = ${query.ownerId} AND ${isOnPlatform(query)} ORDER BY tasks.task_id`);
  const [first] = rows;
  if (first === undefined) return { kind: await explainMiss(database, query) };
  return { kind: 'own', value: { ...toJob(first), tasks: rows.map(toTask) } };
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
