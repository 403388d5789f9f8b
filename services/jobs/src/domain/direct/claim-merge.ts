import { leaseEnd } from '../attempt.js';
import type { Draft } from '../change.js';
import { fail, invalidField } from '../errors.js';
import { moveJob } from '../move-state.js';
import type { MergeOrder, StateStore } from '../ports.js';
import type { RunnerId } from '../task.js';

/**
 * Gives the merging of a job's results to a worker and opens its lease. The same worker asking again gets the same
 * order.
 * @throws ServiceError MERGE_NOT_CLAIMABLE, REQUEST_INVALID
 */
export async function claimMerge(
  ports: { readonly states: StateStore; readonly leaseMs: number },
  mergeId: string,
  runnerId: RunnerId,
): Promise<MergeOrder> {
  if (runnerId === '') throw invalidField('/runner_id', 'must not be empty');
  const order = await ports.states.changeJob({ mergeId }, 'read', (draft) =>
    decideMergeClaim(draft, mergeId, runnerId, ports.leaseMs),
  );
  if (order === undefined) throw fail('MERGE_NOT_CLAIMABLE');
  return order;
}

/** A merge that was claimed with the end of a task. */
export interface TakenMerge {
  readonly mergeId: string;
  readonly order: MergeOrder;
}

/**
 * The merge that the last task of a job has opened by its end, for the runner that has reported it, and the same again when it
 * repeats that: neither a message nor another claim is needed. Undefined: tasks are open, or the merge is another's.
 */
export function takeMergeAfter(
  draft: Draft,
  attemptId: string,
  runnerId: RunnerId,
  leaseMs: number,
): TakenMerge | undefined {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined) return undefined;
  const { jobKey } = draft.task(attempt.taskKey);
  const merge = draft.openMergeOf(jobKey);
  if (merge === undefined || draft.tally(jobKey).openCount > 0) return undefined;
  if (merge.runnerId === null) draft.tellState(jobKey);
  const order = decideMergeClaim(draft, merge.id, runnerId, leaseMs);
  return order && { mergeId: merge.id, order };
}

/** Undefined: it is not there to be taken. */
export function decideMergeClaim(
  draft: Draft,
  mergeId: string,
  runnerId: RunnerId,
  leaseMs: number,
): MergeOrder | undefined {
  const merge = draft.findMerge(mergeId);
  if (merge === undefined || merge.endedAt !== null) return undefined;
  if (merge.runnerId !== null && merge.runnerId !== runnerId) return undefined;
  draft.putMerge({ ...merge, runnerId, leaseExpiresAt: leaseEnd(draft.now, leaseMs) });
  draft.dropMessage(mergeId);
  moveJob(draft, merge.jobKey, 'mergeStarted'); // false: the same worker asks again
  const { jobId, convergence } = draft.job(merge.jobKey);
  const taskIds = draft.deliveredTasks(merge.jobKey);
  const { openCount, completedCount, givenUpCount, mustFinishCount } = draft.tally(merge.jobKey);
  return {
    jobId,
    taskIds,
    isPartial: taskIds.length < openCount + completedCount + givenUpCount,
    isStopped: mustFinishCount > 0, // also by a stop before it was extended
    number: merge.number,
    target: convergence,
  };
}
