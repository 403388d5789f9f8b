import { newId } from '@tally/service-kit';
import { z } from 'zod';
import { Prisma, queryRow, type Statements } from './database.js';
import type { LockedSimulation } from './open-work.js';

/** In the place of a runner's name: a worker outside, who is known by its update key and not by a name. */
export const OUTSIDE = 'outside:http';

const idRow = z.object({ id: z.string(), runner_id: z.string().nullable() });
const leaseEnd = (holdMs: number) => Prisma.sql`now() + ${holdMs}::float8 * interval '1 ms'`;

/** An attempt that a worker outside named, as it is kept: its own names are unique within the task only. */
export const outsideAttemptId = (taskKey: bigint, celeryId: string): string => `outside:${taskKey}:${celeryId}`;

/** How an attempt that a worker outside names stands to the task's current one. */
export async function findAttempt(
  tx: Statements,
  taskKey: bigint,
  currentId: string,
  celeryId: string | undefined,
): Promise<'current' | 'new' | 'replaced'> {
  if (celeryId === undefined) return 'current';
  const names = [celeryId, outsideAttemptId(taskKey, celeryId)];
  if (names.includes(currentId)) return 'current';
  const known = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM attempts WHERE task_key = ${taskKey} AND id = ANY(${names})`;
  return known.length > 0 ? 'replaced' : 'new';
}

/**
 * Gives a task to the worker outside that reports on it: its message is taken back, a runner that had it is told to stop
 * by its next heartbeat, and the lease runs anew. The attempt must not be a replaced one.
 */
export async function holdAttempt(
  tx: Statements,
  taskKey: bigint,
  celeryId: string | undefined,
  holdMs: number,
): Promise<void> {
  const open = await queryRow(
    tx,
    idRow,
    Prisma.sql`SELECT id, runner_id FROM attempts WHERE task_key = ${taskKey} AND ended_at IS NULL`,
  );
  const isRunners = open !== undefined && open.runner_id !== null && open.runner_id !== OUTSIDE;
  const isItself = open !== undefined && open.id === celeryId;
  if (isRunners && isItself) return; // a runner's own attempt, by its name: it keeps its lease
  const isSame = celeryId === undefined || isItself || open?.id === outsideAttemptId(taskKey, celeryId);
  if (open !== undefined && isSame && !isRunners) {
    await tx.$executeRaw`
      UPDATE attempts SET runner_id = ${OUTSIDE}, lease_expires_at = ${leaseEnd(holdMs)} WHERE id = ${open.id}`;
    await tx.$executeRaw`DELETE FROM outbox WHERE attempt_id = ${open.id}`;
    return;
  }
  await endOpenAttempt(tx, taskKey, 'canceled');
  const id = celeryId === undefined ? newId() : outsideAttemptId(taskKey, celeryId);
  await tx.$executeRaw`
    INSERT INTO attempts (id, task_key, number, runner_id, lease_expires_at)
    SELECT ${id}, ${taskKey}, coalesce(max(number), 0) + 1, ${OUTSIDE}, ${leaseEnd(holdMs)}
    FROM attempts WHERE task_key = ${taskKey}`;
  await tx.$executeRaw`UPDATE tasks SET celery_id = ${id} WHERE id = ${taskKey}`;
}

/** Ends the open attempt of a task, if there is one, and takes its message back. */
export async function endOpenAttempt(
  tx: Statements,
  taskKey: bigint,
  outcome: 'completed' | 'failed' | 'canceled',
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM outbox USING attempts WHERE attempts.id = attempt_id AND task_key = ${taskKey}`;
  await tx.$executeRaw`
    UPDATE attempts SET ended_at = now(), outcome = ${outcome}, lease_expires_at = NULL
    WHERE task_key = ${taskKey} AND ended_at IS NULL`;
}

/** Gives the merging of a job to the worker outside that says that it does it, or is expected to; like {@link holdAttempt}. */
export async function holdMerge(tx: Statements, { simulationId }: LockedSimulation, holdMs: number): Promise<void> {
  const renewed = await tx.$executeRaw`
    UPDATE merges SET runner_id = ${OUTSIDE}, lease_expires_at = ${leaseEnd(holdMs)}
    WHERE simulation_id = ${simulationId} AND ended_at IS NULL AND (runner_id IS NULL OR runner_id = ${OUTSIDE})`;
  if (renewed > 0) {
    await tx.$executeRaw`DELETE FROM outbox WHERE simulation_id = ${simulationId} AND kind = 'merge'`;
    return;
  }
  await endOpenMerge(tx, simulationId);
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO merges (id, simulation_id, number, runner_id, lease_expires_at)
    SELECT ${id}, ${simulationId}, coalesce(max(number), 0) + 1, ${OUTSIDE}, ${leaseEnd(holdMs)}
    FROM merges WHERE simulation_id = ${simulationId}`;
  await tx.$executeRaw`UPDATE simulations SET merge_id = ${id} WHERE id = ${simulationId}`;
}

/** Ends the open merge of a job, if there is one, and takes its message back. */
export async function endOpenMerge(tx: Statements, simulationId: bigint): Promise<void> {
  await tx.$executeRaw`DELETE FROM outbox WHERE simulation_id = ${simulationId} AND kind = 'merge'`;
  await tx.$executeRaw`
    UPDATE merges SET ended_at = now(), outcome = 'canceled', lease_expires_at = NULL
    WHERE simulation_id = ${simulationId} AND ended_at IS NULL`;
}

/** The same, unless a runner has it or is to get it. */
export async function endHeldMerge(tx: Statements, simulationId: bigint): Promise<void> {
  const held = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM merges WHERE simulation_id = ${simulationId} AND ended_at IS NULL AND runner_id = ${OUTSIDE}`;
  if (held.length > 0) await endOpenMerge(tx, simulationId);
}
