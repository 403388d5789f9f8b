import { z } from 'zod';
import type { AttemptEnd } from '../domain/attempt.js';
import { INPUT_TYPES, type JobId, SIMULATORS } from '../domain/job.js';
import type { DecideNextStep, TaskStore } from '../domain/ports.js';
import type { AttemptId, RunnerId, WorkOrder } from '../domain/task.js';
import { type Database, Prisma, queryRow, queryRows, type Statements } from './database.js';
import { endJobIfDone } from './end-job.js';
import { moveJob, moveTask } from './move-state.js';
import { type LockedSimulation, openAttempt } from './open-work.js';

/** @param holdMs - lease of a worker outside that is waited for */
export function createTaskStore(database: Database, holdMs: number): TaskStore {
  return {
    claimTask: (attemptId, runnerId, leaseMs) => database.transact((tx) => claimTask(tx, attemptId, runnerId, leaseMs)),
    reportTask: (attemptId, progress, leaseMs) =>
      database.transact(async (tx) => {
        const { simulatedPrimaries, estimatedSeconds } = progress;
        // the task first: the order in which everybody locks
        const reported = await tx.$executeRaw`
          UPDATE tasks
          SET simulated_primaries = least(greatest(simulated_primaries, ${simulatedPrimaries}), requested_primaries),
              estimated_seconds = ${estimatedSeconds}::int, last_update_time = now()
          FROM attempts
          WHERE attempts.id = ${attemptId} AND ended_at IS NULL AND runner_id IS NOT NULL
            AND tasks.id = attempts.task_key AND tasks.celery_id = attempts.id AND tasks.state = 'RUNNING'`;
        if (reported === 0) return false;
        const renewed = await tx.$executeRaw`
          UPDATE attempts SET lease_expires_at = now() + ${leaseMs}::float8 * interval '1 ms'
          WHERE id = ${attemptId} AND ended_at IS NULL`;
        return renewed === 1;
      }),
    findRequestedPrimaries: async (attemptId) => {
      const row = await database.run((db) =>
        queryRow(
          db,
          z.object({ requested_primaries: z.bigint() }),
          Prisma.sql`SELECT requested_primaries FROM tasks JOIN attempts ON attempts.task_key = tasks.id
            WHERE attempts.id = ${attemptId}`,
        ),
      );
      return row?.requested_primaries;
    },
    endAttempt: (attemptId, end, decide) => database.transact((tx) => endAttempt(tx, attemptId, end, decide, holdMs)),
    listExpiredAttempts: async (limit) => {
      const rows = await database.run((db) =>
        queryRows(
          db,
          z.object({ id: z.string().transform((text) => text as AttemptId) }),
          Prisma.sql`SELECT id FROM attempts WHERE ended_at IS NULL AND lease_expires_at < now()
            ORDER BY lease_expires_at LIMIT ${limit}`,
        ),
      );
      return rows.map(({ id }) => id);
    },
  };
}

const attemptRow = z.object({ task_key: z.bigint(), simulation_id: z.bigint(), owner_id: z.bigint() });
interface LockedAttempt extends LockedSimulation {
  readonly taskKey: bigint;
}

/** Locks the simulation and the task of an attempt, in this order; undefined when there is no such attempt. */
async function lockAttempt(tx: Statements, attemptId: AttemptId): Promise<LockedAttempt | undefined> {
  const found = await queryRow(
    tx,
    attemptRow,
    Prisma.sql`SELECT task_key, simulation_id, owner_id FROM attempts
      JOIN tasks ON tasks.id = task_key JOIN simulations ON simulations.id = simulation_id
      WHERE attempts.id = ${attemptId} FOR NO KEY UPDATE OF simulations`,
  );
  if (found === undefined) return undefined;
  await tx.$executeRaw`SELECT 1 FROM tasks WHERE id = ${found.task_key} FOR NO KEY UPDATE`;
  return { taskKey: found.task_key, simulationId: found.simulation_id, ownerId: found.owner_id };
}

const orderRow = z
  .object({
    job_id: z.string(),
    task_id: z.number(),
    number: z.number(),
    simulator: z.enum(SIMULATORS),
    input_type: z.enum(INPUT_TYPES),
    requested_primaries: z.bigint(),
    first_history: z.bigint(),
    seed: z.string().transform(BigInt),
    task_state: z.string(),
  })
  .transform((row) => ({
    taskState: row.task_state,
    order: {
      jobId: row.job_id as JobId,
      taskId: row.task_id,
      attempt: row.number,
      simulator: row.simulator,
      inputType: row.input_type,
      primaries: row.requested_primaries,
      firstHistory: row.first_history,
      seed: row.seed,
    } satisfies WorkOrder,
  }));

async function claimTask(
  tx: Statements,
  attemptId: AttemptId,
  runnerId: RunnerId,
  leaseMs: number,
): Promise<WorkOrder | undefined> {
  const locked = await lockAttempt(tx, attemptId);
  if (locked === undefined) return undefined;
  const claimed = await tx.$executeRaw`
    UPDATE attempts SET runner_id = ${runnerId}, lease_expires_at = now() + ${leaseMs}::float8 * interval '1 ms'
    WHERE id = ${attemptId} AND ended_at IS NULL AND (runner_id IS NULL OR runner_id = ${runnerId})`;
  if (claimed === 0) return undefined;
  await tx.$executeRaw`DELETE FROM outbox WHERE attempt_id = ${attemptId}`;
  const row = await queryRow(
    tx,
    orderRow,
    Prisma.sql`SELECT job_id, tasks.task_id, attempts.number, simulator, input_type, requested_primaries, first_history,
        seed::text, tasks.state AS task_state
      FROM attempts JOIN tasks ON tasks.id = task_key JOIN simulations ON simulations.id = simulation_id
      WHERE attempts.id = ${attemptId}`,
  );
  if (row === undefined) throw new Error(`attempt ${attemptId} is locked but not there`);
  if (row.taskState === 'PENDING') {
    await moveTask(tx, locked.taskKey, 'claimed');
    await moveJob(tx, locked.simulationId, 'started'); // false: it is RUNNING already
  }
  return row.order;
}

const historyRow = z.object({ failed: z.number(), lost: z.number(), released: z.number() });

async function endAttempt(
  tx: Statements,
  attemptId: AttemptId,
  end: AttemptEnd,
  decide: DecideNextStep,
  holdMs: number,
): Promise<boolean> {
  const locked = await lockAttempt(tx, attemptId);
  if (locked === undefined) return false;
  const isLost = end.kind === 'lost';
  const ended = await tx.$executeRaw`
    UPDATE attempts SET ended_at = now(), outcome = ${end.kind}, lease_expires_at = NULL
    WHERE id = ${attemptId} AND ended_at IS NULL AND runner_id IS NOT NULL
      AND (NOT ${isLost}::boolean OR lease_expires_at < now())`;
  if (ended === 0) return !isLost && (await hasEndedAs(tx, attemptId, end));
  const history = await queryRow(
    tx,
    historyRow,
    Prisma.sql`SELECT count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
        count(*) FILTER (WHERE outcome = 'lost')::int AS lost,
        count(*) FILTER (WHERE outcome = 'released')::int AS released
      FROM attempts WHERE task_key = ${locked.taskKey} AND id <> ${attemptId}`,
  );
  const { failed = 0, lost = 0, released = 0 } = history ?? {};
  const step = decide({ failedCount: failed, lostCount: lost, releasedCount: released });
  switch (step.kind) {
    case 'retry':
      await moveTask(tx, locked.taskKey, 'returned', { attemptId: await openAttempt(tx, locked, locked.taskKey) });
      return true;
    case 'complete':
      await moveTask(tx, locked.taskKey, 'completed');
      break;
    case 'fail':
      await moveTask(tx, locked.taskKey, 'failed', { failure: step.failure });
      break;
  }
  await endJobIfDone(tx, locked, { missing: 'external', holdMs });
  return true;
}

/** Whether a worker repeats what it has already said. */
async function hasEndedAs(tx: Statements, attemptId: AttemptId, end: AttemptEnd): Promise<boolean> {
  const same = await tx.$queryRaw<unknown[]>`SELECT 1 FROM attempts WHERE id = ${attemptId} AND outcome = ${end.kind}`;
  return same.length > 0;
}
