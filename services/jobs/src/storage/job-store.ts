import { z } from 'zod';
import { PLATFORMS } from '../domain/job.js';
import { STATES, type State, TERMINAL_STATES } from '../domain/job-state.js';
import type { JobQuery, JobStore, Owned } from '../domain/ports.js';
import type { JobWithTasks, Task } from '../domain/task.js';
import { type Database, Prisma, queryRow, queryRows, type Statements } from './database.js';
import { JOB_COLUMNS, jobColumns, toJob } from './job-row.js';
import { listJobs } from './list-jobs.js';
import { moveJob, moveTasks } from './move-state.js';
import { closeWork } from './open-work.js';

export function createJobStore(database: Database): JobStore {
  return {
    findJob: (query) => database.run((db) => findJob(db, query)),
    listJobs: (query) => listJobs(database, query),
    cancelJob: (query) => database.transact((tx) => cancelJob(tx, query)),
    deleteJob: (query) => database.transact((tx) => deleteJob(tx, query)),
    compactCounts: () => database.run(compactCounts),
  };
}

/** The job, if it is this owner's and runs on this platform. */
function isOwn({ jobId, ownerId, platform }: JobQuery): Prisma.Sql {
  return Prisma.sql`job_id = ${jobId} AND owner_id = ${ownerId}
    AND (${platform ?? null}::text IS NULL OR platform = ${platform ?? null}::text)`;
}

/** Why a query for an own job found none. */
async function explainMiss(db: Statements, { jobId, platform }: JobQuery): Promise<{ kind: 'foreign' | 'missing' }> {
  const anybodys = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM simulations
    WHERE job_id = ${jobId} AND (${platform ?? null}::text IS NULL OR platform = ${platform ?? null}::text)`;
  return { kind: anybodys.length > 0 ? 'foreign' : 'missing' };
}

const jobWithTaskRow = z.object({
  ...jobColumns,
  task_id: z.number(),
  task_state: z.enum(STATES),
  requested_primaries: z.bigint(),
  simulated_primaries: z.bigint(),
  estimated_seconds: z.number().nullable(),
  task_start_time: z.date().nullable(),
  task_end_time: z.date().nullable(),
  last_update_time: z.date(),
  task_failure: z.string().nullable(),
  attempt_count: z.number(),
});

function toTask(row: z.output<typeof jobWithTaskRow>): Task {
  return {
    taskId: row.task_id,
    state: row.task_state,
    requestedPrimaries: row.requested_primaries,
    simulatedPrimaries: row.simulated_primaries,
    estimatedSeconds: row.estimated_seconds,
    startTime: row.task_start_time,
    endTime: row.task_end_time,
    lastUpdateTime: row.last_update_time,
    failure: row.task_failure,
    attemptCount: row.attempt_count,
  };
}

/** One statement, so that job and tasks are of one moment; a job always has a task. */
async function findJob(db: Statements, query: JobQuery): Promise<Owned<JobWithTasks>> {
  const rows = await queryRows(
    db,
    jobWithTaskRow,
    Prisma.sql`
      SELECT ${JOB_COLUMNS}, tasks.task_id, tasks.state AS task_state, requested_primaries, simulated_primaries,
        estimated_seconds, tasks.start_time AS task_start_time, tasks.end_time AS task_end_time, last_update_time,
        tasks.failure AS task_failure, coalesce(attempts.number, 0) AS attempt_count
      FROM simulations
      JOIN tasks ON tasks.simulation_id = simulations.id
      LEFT JOIN attempts ON attempts.id = tasks.celery_id
      WHERE ${isOwn(query)} ORDER BY tasks.task_id`,
  );
  const [first] = rows;
  if (first === undefined) return explainMiss(db, query);
  return { kind: 'own', value: { ...toJob(first), tasks: rows.map(toTask) } };
}

async function cancelJob(tx: Statements, query: JobQuery): Promise<Owned<State>> {
  const row = await queryRow(
    tx,
    z.object({ id: z.bigint(), state: z.enum(STATES), platform: z.enum(PLATFORMS) }),
    Prisma.sql`SELECT id, state, platform FROM simulations WHERE ${isOwn(query)} FOR NO KEY UPDATE`,
  );
  if (row === undefined) return explainMiss(tx, query);
  if (!(await moveJob(tx, row.id, 'canceled'))) return { kind: 'own', value: row.state };
  await moveTasks(tx, Prisma.sql`simulation_id = ${row.id}`, 'canceled');
  await closeWork(tx, row.id);
  if (row.platform === 'batch') await leaveErrand(tx, query, 'cancel');
  return { kind: 'own', value: 'CANCELED' };
}

async function deleteJob(tx: Statements, query: JobQuery): Promise<Owned<'deleted' | 'notTerminal'>> {
  const deleted = await queryRow(
    tx,
    z.object({ platform: z.enum(PLATFORMS) }),
    Prisma.sql`DELETE FROM simulations WHERE ${isOwn(query)} AND state = ANY(${[...TERMINAL_STATES]}) RETURNING platform`,
  );
  if (deleted === undefined) {
    const own = await tx.$queryRaw<unknown[]>`SELECT 1 FROM simulations WHERE ${isOwn(query)}`;
    return own.length > 0 ? { kind: 'own', value: 'notTerminal' } : explainMiss(tx, query);
  }
  await tx.$executeRaw`INSERT INTO deletions (job_id) VALUES (${query.jobId}) ON CONFLICT (job_id) DO NOTHING`;
  if (deleted.platform === 'batch') await leaveErrand(tx, query, 'delete');
  return { kind: 'own', value: 'deleted' };
}

/** batch-bridge is to be told; that the job is to be submitted is not true any more. */
async function leaveErrand(tx: Statements, { jobId, ownerId }: JobQuery, kind: 'cancel' | 'delete'): Promise<void> {
  await tx.$executeRaw`DELETE FROM errands WHERE job_id = ${jobId} AND kind = 'submit'`;
  await tx.$executeRaw`
    INSERT INTO errands (job_id, kind, owner_id) VALUES (${jobId}, ${kind}, ${ownerId}) ON CONFLICT DO NOTHING`;
}

/** A pair of owner and state with more rows than this is folded into one. */
const LEDGER_ROWS_MAX = 16;

/** Concurrent folds are harmless: of the same row only one of them deletes it, and each adds what it deleted. */
async function compactCounts(db: Statements): Promise<void> {
  await db.$executeRaw`
    WITH long AS (
      SELECT owner_id, state FROM job_counts GROUP BY owner_id, state HAVING count(*) > ${LEDGER_ROWS_MAX} LIMIT 1000
    ), gone AS (
      DELETE FROM job_counts USING long
      WHERE job_counts.owner_id = long.owner_id AND job_counts.state = long.state
      RETURNING job_counts.owner_id, job_counts.state, job_count
    )
    INSERT INTO job_counts (owner_id, state, job_count)
    SELECT owner_id, state, sum(job_count) FROM gone GROUP BY owner_id, state HAVING sum(job_count) <> 0`;
}
