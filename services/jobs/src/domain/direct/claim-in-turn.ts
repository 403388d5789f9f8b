import { fail } from '../errors.js';
import type { UserId } from '../job.js';
import type { Notifier, StateStore, TurnStore } from '../ports.js';
import type { AttemptId, RunnerId, WorkOrder } from '../task.js';
import { claimTask } from './claim-task.js';
import { mustYield } from './take-turns.js';

export interface TurnPorts {
  readonly turns: TurnStore;
  readonly notifier: Notifier;
}

export interface ClaimPorts extends TurnPorts {
  readonly states: StateStore;
  readonly leaseMs: number;
}

/**
 * Of attempts that a worker asks for, those that it may be given now, with their owners; undefined: not known, it does not wait. The
 * others let another user's task go first: their messages are done, and they are published again behind the other's.
 */
export async function chooseClaims(
  { turns, notifier }: TurnPorts,
  attemptIds: readonly AttemptId[],
): Promise<ReadonlyMap<AttemptId, UserId | undefined>> {
  const chosen = new Map<AttemptId, UserId | undefined>();
  for (const attemptId of attemptIds) {
    const turn = await turns.find(attemptId);
    if (turn === undefined || !mustYield(turn)) chosen.set(attemptId, turn?.ownerId);
    else await turns.defer(attemptId);
  }
  if (chosen.size < attemptIds.length) notifier.outbox();
  return chosen;
}

/**
 * Gives an attempt to a worker, unless another user's task goes first.
 * @throws ServiceError ATTEMPT_NOT_CLAIMABLE, REQUEST_INVALID
 */
export async function claimInTurn(ports: ClaimPorts, attemptId: AttemptId, runnerId: RunnerId): Promise<WorkOrder> {
  const chosen = await chooseClaims(ports, [attemptId]);
  if (!chosen.has(attemptId)) throw fail('ATTEMPT_NOT_CLAIMABLE');
  const order = await claimTask(ports, attemptId, runnerId);
  const ownerId = chosen.get(attemptId);
  if (ownerId !== undefined) await ports.turns.noteGiven(ownerId);
  return order;
}
