import { type AttemptEnd, type AttemptLimits, decideNextStep, type NextStep, summarizeTries } from '../attempt.js';
import type { Draft } from '../change.js';
import { decideJobStep } from '../job-end.js';
import { moveJob, requireMoved } from '../move-state.js';
import type { StateStore } from '../ports.js';
import type { MergeRow } from '../snapshot.js';
import type { RunnerId } from '../task.js';
import { EXTERNAL_WORKER, hasExpired, openMerge } from '../work.js';

export interface EndMergePorts {
  readonly states: StateStore;
  readonly limits: AttemptLimits;
}

/**
 * Ends a merge: the job is COMPLETED, or FAILED when some of its tasks were; or the merge is tried again, or the job
 * fails for good.
 * @param runnerId undefined when the worker is lost
 * @returns false when it was ignored: the merge was replaced or cancelled, or is another worker's
 */
export function reportMergeEnd(
  ports: EndMergePorts,
  mergeId: string,
  runnerId: RunnerId | undefined,
  end: AttemptEnd,
): Promise<boolean> {
  return ports.states.changeJob({ mergeId }, 'tally', (draft) =>
    decideMergeEnd(draft, { mergeId, runnerId, end }, ports.limits),
  );
}

export interface MergeEnd {
  readonly mergeId: string;
  readonly runnerId: RunnerId | undefined;
  /** `lost` applies only while the lease is over. */
  readonly end: AttemptEnd;
}

/** True also for a repeat of the end that was stored. */
export function decideMergeEnd(draft: Draft, { mergeId, runnerId, end }: MergeEnd, limits: AttemptLimits): boolean {
  const merge = draft.findMerge(mergeId);
  if (merge === undefined) return false;
  const isLost = end.kind === 'lost';
  const isTheirs = isLost ? hasExpired(draft, merge) : merge.runnerId === runnerId;
  if (merge.endedAt !== null || merge.runnerId === null || !isTheirs) {
    return !isLost && merge.runnerId === runnerId && merge.outcome === end.kind;
  }
  draft.putMerge({ ...merge, endedAt: draft.now, outcome: end.kind, leaseExpiresAt: null });
  const { jobKey } = merge;
  const missing = draft.job(jobKey).platform === 'batch' ? 'lost' : 'external';
  const jobStep = decideJobStep(draft.tally(jobKey), missing, true);
  if (jobStep.kind === 'continue') return moveJob(draft, jobKey, 'mergeAbandoned');
  if (jobStep.kind === 'fail') return moveJob(draft, jobKey, 'nothingDelivered', jobStep);
  const step = nextStep(draft, merge, end, limits);
  requireMoved(
    `merge ${mergeId} was open, but its job cannot ${step.kind}`,
    follow(draft, jobKey, step, jobStep.failure),
  );
  return true;
}

/** An external worker that was waited for has not tried to merge: that counts as no attempt. */
function nextStep(draft: Draft, merge: MergeRow, end: AttemptEnd, limits: AttemptLimits): NextStep {
  if (merge.runnerId === EXTERNAL_WORKER) return { kind: 'retry' };
  const earlier = draft
    .mergesOf(merge.jobKey)
    .filter(({ id, runnerId }) => id !== merge.id && runnerId !== EXTERNAL_WORKER);
  return decideNextStep(end, summarizeTries(earlier), limits);
}

/** @param taskFailure - null: no task failed */
function follow(draft: Draft, jobKey: bigint, step: NextStep, taskFailure: string | null): boolean {
  switch (step.kind) {
    case 'complete':
      return taskFailure === null
        ? moveJob(draft, jobKey, 'merged')
        : moveJob(draft, jobKey, 'mergedInPart', { failure: taskFailure });
    case 'fail':
      return moveJob(draft, jobKey, 'mergeFailed', { failure: `merging the results failed; ${step.failure}` });
    case 'retry':
      openMerge(draft, jobKey);
      return moveJob(draft, jobKey, 'mergeReturned', { waitingReason: null });
  }
}
