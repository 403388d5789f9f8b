import { leaseEnd } from '../attempt.js';
import type { Draft } from '../change.js';
import { moveTask, startJob } from '../move-state.js';
import type { AttemptId, RunnerId, WorkOrder } from '../task.js';
import { mustYield } from './take-turns.js';

export interface TaskClaim {
  readonly attemptId: AttemptId;
  readonly runnerId: RunnerId;
  readonly leaseMs: number;
}

/**
 * Undefined: it is not there to be taken, or lets another user's task go first; its message is done then, and is published again
 * behind the other's.
 */
export function decideClaimInTurn(draft: Draft, claim: TaskClaim): WorkOrder | undefined {
  const turn = draft.turnOf(claim.attemptId);
  if (turn !== undefined && mustYield(turn)) {
    draft.deferMessage(claim.attemptId);
    return undefined;
  }
  const order = decideClaim(draft, claim);
  if (order !== undefined && turn !== undefined) draft.noteServed(turn.ownerId);
  return order;
}

/** Gives an attempt to a worker and opens its lease; the same worker asking again gets the same. Undefined: it is not there to be taken. */
export function decideClaim(draft: Draft, { attemptId, runnerId, leaseMs }: TaskClaim): WorkOrder | undefined {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined || attempt.endedAt !== null) return undefined;
  if (attempt.runnerId !== null && attempt.runnerId !== runnerId) return undefined;
  draft.putAttempt({ ...attempt, runnerId, leaseExpiresAt: leaseEnd(draft.now, leaseMs) });
  draft.dropMessage(attempt.id);
  const task = draft.task(attempt.taskKey);
  if (moveTask(draft, task.taskKey, 'claimed')) startJob(draft, task.jobKey); // else: the same worker asks again
  const { jobId, simulator, inputType, seed } = draft.job(task.jobKey);
  return {
    jobId,
    taskId: task.taskId,
    attempt: attempt.number,
    simulator,
    inputType,
    primaries: task.requestedPrimaries,
    firstHistory: task.firstHistory,
    seed,
  };
}
