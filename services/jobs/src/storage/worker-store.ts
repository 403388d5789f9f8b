import { z } from 'zod';
import { type JobId, PLATFORMS } from '../domain/job.js';
import { type Delivery, isMergeDue, type TaskTally } from '../domain/job-end.js';
import { isTerminal, OPEN_STATES, STATES, type State } from '../domain/job-state.js';
import type { DecideJobUpdate, DecideTaskUpdate, WorkerStore } from '../domain/worker-ports.js';
import { type Database, Prisma, queryRow, type Statements } from './database.js';
import { endJobIfDone } from './end-job.js';
import { endOpenAttempt, endOpenMerge, findAttempt, holdAttempt, holdMerge } from './hold-work.js';
import { moveJob, moveJobAsReported, moveTaskAsReported, moveTasks } from './move-state.js';
import { closeWork, hasOpenMerge, type LockedSimulation } from './open-work.js';
import { loadTaskTally } from './task-tally.js';

/** @param holdMs - a worker outside that is silent for this long is lost */
export function createWorkerStore(database: Database, holdMs: number): WorkerStore {
  return {
    findJob: (jobRef, keyHours) => database.run((db) => findJob(db, jobRef, keyHours)),
    updateJob: (jobId, hash, decide) => database.transact((tx) => updateJob(tx, { jobId, hash, holdMs }, decide)),
    updateTask: (jobId, taskId, celeryId, hash, decide) =>
      database.transact((tx) => updateTask(tx, { jobId, taskId, celeryId, hash, holdMs }, decide)),
    findTarget: (jobId, taskId, celeryId) => database.run((db) => findTarget(db, jobId, taskId, celeryId)),
    noteTaskOutput: (jobId, taskId) => database.transact((tx) => noteTaskOutput(tx, jobId, taskId, holdMs)),
    noteResults: (jobId, hash, judge) => database.transact((tx) => noteResults(tx, jobId, hash, judge)),
  };
}

/** Largest value of a bigint column. */
const ID_MAX = 2n ** 63n - 1n;

async function findJob(db: Statements, jobRef: string, keyHours: number) {
  const isInternal = /^\d{1,19}$/.test(jobRef) && BigInt(jobRef) <= ID_MAX;
  const row = await queryRow(
    db,
    z.object({ job_id: z.string(), is_over: z.boolean() }),
    Prisma.sql`SELECT job_id, coalesce(closed_at < now() - ${keyHours}::float8 * interval '1 hour', false) AS is_over
      FROM simulations
      WHERE ${isInternal ? Prisma.sql`id = ${BigInt(jobRef)}` : Prisma.sql`job_id = ${jobRef.replaceAll('\0', '')}`}`,
  );
  return row === undefined ? undefined : { jobId: row.job_id as JobId, isOver: row.is_over };
}

const jobRow = z
  .object({
    id: z.bigint(),
    owner_id: z.bigint(),
    platform: z.enum(PLATFORMS),
    state: z.enum(STATES),
    end_time: z.date().nullable(),
    job_dir: z.string().nullable(),
    array_id: z.bigint().nullable(),
    collect_id: z.bigint().nullable(),
    end_update_hash: z.string().nullable(),
    now: z.date(),
  })
  .transform((row) => ({
    simulation: { simulationId: row.id, ownerId: row.owner_id },
    endedBy: row.end_update_hash,
    now: row.now,
    job: {
      platform: row.platform,
      state: row.state,
      endTime: row.end_time,
      jobDir: row.job_dir,
      arrayId: row.array_id,
      collectId: row.collect_id,
    },
  }));

/** Locks a job. */
function lockJob(tx: Statements, jobId: JobId) {
  return queryRow(
    tx,
    jobRow,
    Prisma.sql`SELECT id, owner_id, platform, state, end_time, job_dir, array_id, collect_id, end_update_hash, now() AS now
      FROM simulations WHERE job_id = ${jobId} FOR NO KEY UPDATE`,
  );
}

async function hasOpenTask(tx: Statements, simulationId: bigint): Promise<boolean> {
  const open = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM tasks WHERE simulation_id = ${simulationId} AND state = ANY(${[...OPEN_STATES]}) LIMIT 1`;
  return open.length > 0;
}

interface JobReport {
  readonly jobId: JobId;
  readonly hash: string;
  readonly holdMs: number;
}

async function updateJob(tx: Statements, { jobId, hash, holdMs }: JobReport, decide: DecideJobUpdate) {
  const locked = await lockJob(tx, jobId);
  if (locked === undefined) return undefined;
  const { simulation, job, endedBy, now } = locked;
  const { simulationId } = simulation;
  const hasMerge = await hasOpenMerge(tx, simulationId);
  const decision = decide({ ...job, hasMerge }, endedBy, now);
  if (decision.kind === 'ignored') return decision;
  const { state } = decision.fields;
  if (isTerminal(state)) {
    const trigger = state === 'COMPLETED' ? 'jobCompleted' : 'canceled';
    await moveTasks(tx, Prisma.sql`simulation_id = ${simulationId}`, trigger);
    await closeWork(tx, simulationId);
  } else if (job.platform === 'batch') {
    // nobody outside merges a batch job: runners do, when its tasks have delivered or nothing more comes
  } else if (state === 'MERGING_QUEUED' || state === 'MERGING_RUNNING' || !(await hasOpenTask(tx, simulationId))) {
    // whatever it calls the state: all tasks have ended, so it must be merging
    await holdMerge(tx, simulation, holdMs);
  } else {
    await endOpenMerge(tx, simulationId);
  }
  await moveJobAsReported(tx, simulationId, decision.fields, hash);
  return decision;
}

const taskRow = z
  .object({
    id: z.bigint(),
    celery_id: z.string(),
    state: z.enum(STATES),
    requested_primaries: z.bigint(),
    simulated_primaries: z.bigint(),
    estimated_seconds: z.number().nullable(),
    start_time: z.date().nullable(),
    end_time: z.date().nullable(),
    failure: z.string().nullable(),
    is_unexplained: z.boolean(),
    end_update_hash: z.string().nullable(),
  })
  .transform((row) => ({
    taskKey: row.id,
    celeryId: row.celery_id,
    endedBy: row.end_update_hash,
    task: {
      state: row.state,
      requestedPrimaries: row.requested_primaries,
      simulatedPrimaries: row.simulated_primaries,
      estimatedSeconds: row.estimated_seconds,
      startTime: row.start_time,
      endTime: row.end_time,
      failure: row.failure,
      isUnexplained: row.is_unexplained,
    },
  }));

interface TaskReport extends JobReport {
  readonly taskId: number;
  readonly celeryId: string | undefined;
}

async function updateTask(tx: Statements, report: TaskReport, decide: DecideTaskUpdate) {
  const { jobId, taskId, celeryId, hash, holdMs } = report;
  const locked = await lockJob(tx, jobId);
  if (locked === undefined) return undefined;
  const { simulation, job, now } = locked;
  const found = await queryRow(
    tx,
    taskRow,
    Prisma.sql`SELECT id, celery_id, state, requested_primaries, simulated_primaries, estimated_seconds, start_time,
        end_time, failure, is_unexplained, end_update_hash
      FROM tasks WHERE simulation_id = ${simulation.simulationId} AND task_id = ${taskId} FOR NO KEY UPDATE`,
  );
  if (found === undefined) return 'noTask';
  const { taskKey, task, endedBy } = found;
  const isDirect = job.platform === 'direct';
  const attempt = isDirect ? await findAttempt(tx, taskKey, found.celeryId, celeryId) : 'current';
  const decision = decide(task, attempt, endedBy, now);
  if (decision.kind === 'ignored') return decision;
  const { state } = decision.fields;
  if (isDirect) await holdAttempt(tx, taskKey, celeryId, holdMs);
  if (isTerminal(state)) await endOpenAttempt(tx, taskKey, outcomeOf(state));
  await moveTaskAsReported(tx, taskKey, decision.fields, hash);
  // false: it is RUNNING already, or a worker says that it merges
  if (state === 'RUNNING' && task.state !== state) await moveJob(tx, simulation.simulationId, 'started');
  if (isTerminal(state)) await endJobIfDone(tx, simulation, { missing: isDirect ? 'external' : 'pending', holdMs });
  return decision;
}

function outcomeOf(state: (typeof STATES)[number]): 'completed' | 'failed' | 'canceled' {
  if (state === 'COMPLETED') return 'completed';
  return state === 'FAILED' ? 'failed' : 'canceled';
}

const targetRow = z.object({
  id: z.bigint(),
  state: z.enum(STATES),
  end_update_hash: z.string().nullable(),
  platform: z.enum(PLATFORMS),
});
const targetTaskRow = z.object({ id: z.bigint(), celery_id: z.string(), state: z.enum(STATES) });

async function findTarget(db: Statements, jobId: JobId, taskId: number | undefined, celeryId: string | undefined) {
  const job = await queryRow(
    db,
    targetRow,
    Prisma.sql`SELECT id, state, end_update_hash, platform FROM simulations WHERE job_id = ${jobId}`,
  );
  if (job === undefined) return undefined;
  const target = {
    isWanted: !isTerminal(job.state),
    endedBy: job.end_update_hash,
    tally: await loadTaskTally(db, job.id),
  };
  if (taskId === undefined) return target;
  const task = await queryRow(
    db,
    targetTaskRow,
    Prisma.sql`SELECT id, celery_id, state FROM tasks WHERE simulation_id = ${job.id} AND task_id = ${taskId}`,
  );
  if (task === undefined) return 'noTask';
  if (job.platform === 'batch') {
    const isOfCanceled = job.state === 'CANCELED' && task.state !== 'FAILED';
    return { ...target, isWanted: isOfCanceled || (target.isWanted && !isGivenUp(task.state)) };
  }
  const attempt = await findAttempt(db, task.id, task.celery_id, celeryId);
  return { ...target, isWanted: target.isWanted && !isGivenUp(task.state) && attempt !== 'replaced' };
}

const isGivenUp = (state: State) => state === 'FAILED' || state === 'CANCELED';

async function noteTaskOutput(tx: Statements, jobId: JobId, taskId: number, holdMs: number) {
  const locked = await lockJob(tx, jobId);
  if (locked === undefined) return undefined;
  const { simulation, job } = locked;
  if (job.platform === 'batch') return noteBatchOutput(tx, simulation, job.state, taskId, holdMs);
  return noteDirectOutput(tx, simulation, job.state, taskId);
}

/**
 * The last output may be what the job waits for. What comes when the end on the cluster has already opened the merge is
 * too late: who merges has counted the outputs.
 */
async function noteBatchOutput(
  tx: Statements,
  simulation: LockedSimulation,
  state: State,
  taskId: number,
  holdMs: number,
) {
  const { simulationId } = simulation;
  const task = await queryRow(
    tx,
    z.object({ id: z.bigint(), has_output: z.boolean() }),
    Prisma.sql`SELECT id, has_output FROM tasks WHERE simulation_id = ${simulationId} AND task_id = ${taskId}`,
  );
  if (task === undefined) return 'noTask';
  if (task.has_output) return true;
  if ((isTerminal(state) && state !== 'CANCELED') || (await hasOpenMerge(tx, simulationId))) return false;
  await tx.$executeRaw`UPDATE tasks SET has_output = true WHERE id = ${task.id}`;
  if (!isTerminal(state)) await endJobIfDone(tx, simulation, { missing: 'pending', holdMs });
  return true;
}

/** Output that comes after the last task has ended lets a merge that waits for it go to the runners with the next sweep. */
async function noteDirectOutput(tx: Statements, { simulationId }: LockedSimulation, state: State, taskId: number) {
  const noted = await tx.$executeRaw`
    UPDATE tasks SET has_output = true WHERE simulation_id = ${simulationId} AND task_id = ${taskId}`;
  if (noted === 0) return 'noTask';
  if (isTerminal(state)) return false;
  if (state === 'MERGING_QUEUED' && isMergeDue(await loadTaskTally(tx, simulationId))) {
    await tx.$executeRaw`
      UPDATE merges SET lease_expires_at = now()
      WHERE simulation_id = ${simulationId} AND ended_at IS NULL AND lease_expires_at IS NOT NULL`;
  }
  return true;
}

async function noteResults(
  tx: Statements,
  jobId: JobId,
  hash: string,
  judge: (tally: TaskTally) => Delivery,
): Promise<boolean | undefined> {
  const locked = await lockJob(tx, jobId);
  if (locked === undefined) return undefined;
  const { job, simulation, endedBy } = locked;
  const { simulationId } = simulation;
  if (isTerminal(job.state)) return endedBy === hash;
  const { isPartial, failure } = judge(await loadTaskTally(tx, simulationId));
  await moveTasks(tx, Prisma.sql`simulation_id = ${simulationId}`, 'jobCompleted');
  await closeWork(tx, simulationId);
  await moveJob(tx, simulationId, isPartial ? 'deliveredInPart' : 'delivered', { failure });
  await tx.$executeRaw`UPDATE simulations SET end_update_hash = ${hash} WHERE id = ${simulationId}`;
  return true;
}
