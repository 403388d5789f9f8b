import { type AttemptEnd, type AttemptLimits, decideNextStep, type NextStep, summarizeTries } from '../attempt.js';
import type { Draft } from '../change.js';
import { addPrimaries } from '../extend-job.js';
import { decideJobStep, type TaskTally } from '../job-end.js';
import { moveJob, requireMoved } from '../move-state.js';
import type { StateStore } from '../ports.js';
import type { MergeRow } from '../snapshot.js';
import { isReachedBy, nextChunk } from '../submit/target.js';
import type { RunnerId } from '../task.js';
import { EXTERNAL_WORKER, endWithoutResults, hasExpired, openMerge } from '../work.js';

export interface EndMergePorts {
  readonly states: StateStore;
  readonly limits: AttemptLimits;
}

/**
 * Ends a merge: the job is given further primaries until its target is reached, or is COMPLETED, or FAILED when some of its
 * tasks were; or another attempt of the merge is opened, or the job fails for good.
 * @param runnerId undefined when the worker is lost
 * @param relativeError - of the merged results, of a job with a target; undefined: not known
 * @returns false when it was ignored: the merge was replaced or cancelled, or is another worker's
 */
export function reportMergeEnd(
  ports: EndMergePorts,
  mergeId: string,
  runnerId: RunnerId | undefined,
  end: AttemptEnd,
  relativeError?: number,
): Promise<boolean> {
  return ports.states.changeJob({ mergeId }, 'tally', (draft) =>
    decideMergeEnd(draft, { mergeId, runnerId, end, relativeError }, ports.limits),
  );
}

export interface MergeEnd {
  readonly mergeId: string;
  readonly runnerId: RunnerId | undefined;
  /** `lost` applies only while the lease is over. */
  readonly end: AttemptEnd;
  /** Of the merged results, of a job with a target; undefined: not known. */
  readonly relativeError?: number | undefined;
}

/** True also for a repeat of the end that was stored. */
export function decideMergeEnd(draft: Draft, mergeEnd: MergeEnd, limits: AttemptLimits): boolean {
  const { mergeId, runnerId, end, relativeError = null } = mergeEnd;
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
  const tally = draft.tally(jobKey);
  const jobStep = decideJobStep(tally, missing, true);
  if (jobStep.kind === 'continue') return moveJob(draft, jobKey, 'mergeAbandoned');
  if (jobStep.kind === 'fail' || jobStep.kind === 'nothing-simulated') return endWithoutResults(draft, jobKey, jobStep);
  const step = nextStep(draft, merge, end, limits);
  requireMoved(
    `merge ${mergeId} was open, but its job cannot ${step.kind}`,
    follow(draft, jobKey, step, { taskFailure: jobStep.failure, tally, relativeError }),
  );
  return true;
}

/**
 * An external worker that was waited for has not tried to merge: that counts as no attempt. Nor do those count that came
 * before a merge that ended well, after which the job was given further tasks.
 */
function nextStep(draft: Draft, merge: MergeRow, end: AttemptEnd, limits: AttemptLimits): NextStep {
  if (merge.runnerId === EXTERNAL_WORKER) return { kind: 'retry' };
  const others = draft.mergesOf(merge.jobKey).filter(({ id }) => id !== merge.id);
  const merged = Math.max(0, ...others.flatMap((other) => (other.outcome === 'completed' ? other.number : [])));
  const earlier = others.filter(({ number, runnerId }) => number > merged && runnerId !== EXTERNAL_WORKER);
  return decideNextStep(end, summarizeTries(earlier), limits);
}

/**
 * Notes what was merged. True: the results are not as good as its owner has asked for, and the job was given further primaries. One
 * that has ended once, was stopped, or of which tasks failed does not go on.
 */
function goesOn(draft: Draft, jobKey: bigint, { taskFailure, tally, relativeError }: Merged): boolean {
  const job = { ...draft.job(jobKey), simulatedPrimaries: tally.deliveredPrimaries };
  draft.putJob(job);
  if (job.convergence === null) return false;
  const point = { primaries: Number(tally.deliveredPrimaries), relativeError, time: draft.now.toISOString() };
  const convergence = { ...job.convergence, points: [...job.convergence.points, point] };
  const mayGoOn = convergence.isReached === null && job.stoppedAt === null && taskFailure === null;
  const chunk = mayGoOn ? nextChunk(convergence) : 0;
  draft.putJob({
    ...job,
    convergence: chunk > 0 ? convergence : { ...convergence, isReached: isReachedBy(convergence) },
  });
  if (chunk > 0) addPrimaries(draft, jobKey, chunk, undefined);
  return chunk > 0;
}

/** What was merged. `taskFailure` null: no task failed; `relativeError` null: not known. */
interface Merged {
  readonly taskFailure: string | null;
  readonly tally: TaskTally;
  readonly relativeError: number | null;
}

function follow(draft: Draft, jobKey: bigint, step: NextStep, merged: Merged): boolean {
  const { taskFailure } = merged;
  switch (step.kind) {
    case 'complete':
      if (goesOn(draft, jobKey, merged)) return true;
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
