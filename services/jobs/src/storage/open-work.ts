import { newId } from '@tally/service-kit';
import type { Statements } from './database.js';

/** A simulation whose row this transaction has locked. */
export interface LockedSimulation {
  readonly simulationId: bigint;
  readonly ownerId: bigint;
}

/** Opens the next attempt of a task, with its message. Returns its id. */
export async function openAttempt(tx: Statements, simulation: LockedSimulation, taskKey: bigint): Promise<string> {
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO attempts (id, task_key, number)
    SELECT ${id}, ${taskKey}, coalesce(max(number), 0) + 1 FROM attempts WHERE task_key = ${taskKey}`;
  await tx.$executeRaw`
    INSERT INTO outbox (kind, owner_id, simulation_id, attempt_id)
    VALUES ('task', ${simulation.ownerId}, ${simulation.simulationId}, ${id})`;
  return id;
}

/** Opens the next merge of a simulation, with its message, and makes it the current one. */
export async function openMerge(tx: Statements, { simulationId, ownerId }: LockedSimulation): Promise<void> {
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO merges (id, simulation_id, number)
    SELECT ${id}, ${simulationId}, coalesce(max(number), 0) + 1 FROM merges WHERE simulation_id = ${simulationId}`;
  await tx.$executeRaw`UPDATE simulations SET merge_id = ${id} WHERE id = ${simulationId}`;
  await tx.$executeRaw`
    INSERT INTO outbox (kind, owner_id, simulation_id, merge_id) VALUES ('merge', ${ownerId}, ${simulationId}, ${id})`;
}

export async function hasOpenMerge(tx: Statements, simulationId: bigint): Promise<boolean> {
  const open = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM merges WHERE simulation_id = ${simulationId} AND ended_at IS NULL`;
  return open.length > 0;
}

/** Ends all attempts and merges of a simulation and takes its messages back: nothing of it is wanted any more. */
export async function closeWork(tx: Statements, simulationId: bigint): Promise<void> {
  await tx.$executeRaw`
    UPDATE attempts SET ended_at = now(), outcome = 'canceled', lease_expires_at = NULL
    FROM tasks WHERE tasks.id = attempts.task_key AND tasks.simulation_id = ${simulationId} AND ended_at IS NULL`;
  await tx.$executeRaw`
    UPDATE merges SET ended_at = now(), outcome = 'canceled', lease_expires_at = NULL
    WHERE simulation_id = ${simulationId} AND ended_at IS NULL`;
  await tx.$executeRaw`DELETE FROM outbox WHERE simulation_id = ${simulationId}`;
}
