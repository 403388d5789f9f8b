import type { Draft } from '../change.js';
import { fail, invalidField } from '../errors.js';
import { moveJob } from '../move-state.js';
import type { MergeOrder, StateStore } from '../ports.js';
import type { RunnerId } from '../task.js';
import { later } from '../work.js';

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
  draft.putMerge({ ...merge, runnerId, leaseExpiresAt: later(draft.now, leaseMs) });
  draft.dropMessage(mergeId);
  moveJob(draft, merge.jobKey, 'mergeStarted'); // false: the same worker asks again
  const { jobId, platform, convergence } = draft.job(merge.jobKey);
  const tasks = draft.tasksOf(merge.jobKey);
  // on a cluster the end of all may have come before the output of a COMPLETED task; it is not waited for any more
  const delivered = tasks.filter((task) => task.state === 'COMPLETED' && (task.hasOutput || platform === 'direct'));
  const { stoppedCount } = draft.tally(merge.jobKey);
  return {
    jobId,
    taskIds: delivered.map(({ taskId }) => taskId),
    isPartial: delivered.length + stoppedCount < tasks.length,
    // also by a stop before it was extended
    isStopped: tasks.some(({ mustFinish }) => mustFinish),
    number: merge.number,
    target: convergence,
  };
}
