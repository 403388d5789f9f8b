import { ServiceError, type StatusName } from '@tally/service-kit';
import type { AttemptLimits } from '../attempt.js';
import type { Draft } from '../change.js';
import { addPrimaries, findPrimariesMax } from '../extend-job.js';
import type { JobId } from '../job.js';
import { decideJobStep, type JobStep, type TaskTally } from '../job-end.js';
import { moveJob, requireMoved } from '../move-state.js';
import type { JobData, MergeOrder, StateStore } from '../ports.js';
import type { MergeRow } from '../snapshot.js';
import { isReachedBy, nextChunk } from '../submit/target.js';
import { endWithoutResults } from '../work.js';
import type { Duty, DutyOutcome } from './duty.js';

export interface MergePorts {
  readonly states: StateStore;
  readonly jobData: Pick<JobData, 'mergeOutputs'>;
  readonly limits: Pick<AttemptLimits, 'attemptsMax'>;
}

/**
 * Has results merge what the tasks of a job have delivered, and ends the job, or gives it further primaries until its target is
 * reached. May run twice at once and be cut off anywhere: a merge is repeated under the same number, and one that was replaced
 * meanwhile, or is not due any more, changes nothing.
 * @throws what results threw, while a repeat may help
 */
export async function mergeJob(
  { states, jobData, limits }: MergePorts,
  { id, jobId }: Pick<Duty, 'id' | 'jobId'>,
  signal: AbortSignal,
): Promise<DutyOutcome> {
  const change = <T>(decide: (draft: Draft) => T) => states.changeJob({ jobId }, 'tally', decide);
  const order = await change((draft) => decideMergeStart(draft, jobId, id));
  if (order === undefined) return 'stored';
  let relativeError: number | undefined;
  try {
    relativeError = await jobData.mergeOutputs(order, signal);
  } catch (err) {
    const failure = readMergeFailure(err);
    if (failure === undefined) {
      if (!signal.aborted) await change((draft) => tellMergeWaits(draft, jobId, id));
      throw err;
    }
    if (await change((draft) => decideMergeFailure(draft, { jobId, mergeId: id, ...failure }, limits))) throw err;
    return 'stored';
  }
  await change((draft) => decideMergeEnd(draft, { jobId, mergeId: id, relativeError }));
  return 'stored';
}

const findMerge = (draft: Draft, jobId: JobId, mergeId: string): MergeRow | undefined => {
  const job = draft.findJob(jobId);
  const merge = job && draft.openMergeOf(job.jobKey);
  return merge?.id === mergeId ? merge : undefined;
};

/** What becomes of the job by what its tasks are. An external worker that was waited for is not any more. */
function stepOf(draft: Draft, jobKey: bigint): JobStep {
  const missing = draft.job(jobKey).platform === 'batch' ? 'lost' : 'external';
  return decideJobStep(draft.tally(jobKey), missing, true);
}

/**
 * Begins a merge that is due. Undefined: there is nothing to merge (an external worker has said something meanwhile, or said that it
 * merges while tasks were open; or nothing was delivered, and the job has ended).
 */
export function decideMergeStart(draft: Draft, jobId: JobId, mergeId: string): MergeOrder | undefined {
  const merge = findMerge(draft, jobId, mergeId);
  if (merge === undefined || merge.dueAt > draft.now) return undefined;
  const { jobKey } = merge;
  const step = stepOf(draft, jobKey);
  if (step.kind !== 'merge') {
    draft.endMerge(jobKey);
    const isMoved =
      step.kind === 'fail' || step.kind === 'nothing-simulated'
        ? endWithoutResults(draft, jobKey, step)
        : moveJob(draft, jobKey, 'mergeAbandoned') || true; // its worker may have called it otherwise
    requireMoved(`merge ${mergeId} was open, but its job cannot ${step.kind}`, isMoved);
    return undefined;
  }
  draft.putMerge({ ...merge, isExternal: false });
  const isRetry = draft.job(jobKey).waitingReason === MERGE_WAITS; // which is not over before results answers
  moveJob(draft, jobKey, 'mergeStarted', isRetry ? {} : { waitingReason: null });
  const { convergence, mergeNumber } = draft.job(jobKey);
  const taskIds = draft.deliveredTasks(jobKey);
  const { openCount, completedCount, givenUpCount, mustFinishCount } = draft.tally(jobKey);
  return {
    jobId,
    taskIds,
    isPartial: taskIds.length < openCount + completedCount + givenUpCount,
    isStopped: mustFinishCount > 0, // also by a stop before it was extended
    number: mergeNumber,
    target: convergence,
  };
}

/** While results cannot be asked, for people. */
const MERGE_WAITS = 'its results wait to be merged: the service that merges them does not answer; it is asked again';

function tellMergeWaits(draft: Draft, jobId: JobId, mergeId: string): void {
  const merge = findMerge(draft, jobId, mergeId);
  if (merge !== undefined) draft.putJob({ ...draft.job(merge.jobKey), waitingReason: MERGE_WAITS });
}

export interface MergeEnd {
  readonly jobId: JobId;
  readonly mergeId: string;
  /** Of the merged results, of a job with a target; undefined: not known. */
  readonly relativeError: number | undefined;
}

/**
 * The results are stored: the job is given further primaries until its target is reached, or is COMPLETED, or FAILED when some of
 * its tasks were. False: the merge was replaced or is not wanted any more.
 */
export function decideMergeEnd(draft: Draft, { jobId, mergeId, relativeError }: MergeEnd): boolean {
  const merge = findMerge(draft, jobId, mergeId);
  if (merge === undefined) return false;
  const { jobKey } = merge;
  draft.endMerge(jobKey);
  const step = stepOf(draft, jobKey);
  const taskFailure = step.kind === 'merge' ? step.failure : null;
  if (goesOn(draft, jobKey, { taskFailure, tally: draft.tally(jobKey), relativeError: relativeError ?? null }))
    return true;
  const isMoved =
    taskFailure === null
      ? moveJob(draft, jobKey, 'merged')
      : moveJob(draft, jobKey, 'mergedInPart', { failure: taskFailure });
  requireMoved(`merge ${mergeId} has ended, but its job cannot`, isMoved);
  return true;
}

interface MergeFailure {
  /** For people. */
  readonly failure: string;
  readonly isRetryable: boolean;
}

/** After a merge that failed there is a retry, or the job fails for good. True: there is a retry. */
export function decideMergeFailure(
  draft: Draft,
  { jobId, mergeId, failure, isRetryable }: MergeFailure & Pick<MergeEnd, 'jobId' | 'mergeId'>,
  { attemptsMax }: Pick<AttemptLimits, 'attemptsMax'>,
): boolean {
  const merge = findMerge(draft, jobId, mergeId);
  if (merge === undefined) return false;
  const failedCount = merge.failedCount + 1;
  if (isRetryable && failedCount < attemptsMax) {
    draft.putMerge({ ...merge, failedCount });
    return true;
  }
  draft.endMerge(merge.jobKey);
  const tries = isRetryable ? ` (attempt ${failedCount} of ${attemptsMax})` : '';
  const words = { failure: `merging the results failed; ${failure}${tries}` };
  requireMoved(`merge ${mergeId} was open`, moveJob(draft, merge.jobKey, 'mergeFailed', words));
  return false;
}

/** Statuses by which results refuses for good. */
const REFUSALS: readonly StatusName[] = [
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'FAILED_PRECONDITION',
  'OUT_OF_RANGE',
  'RESOURCE_EXHAUSTED',
  'DATA_LOSS',
];
/** Statuses of a results that answers wrongly, or not in time: it may pass, or be the same for ever. */
const FAULTS: readonly StatusName[] = ['INTERNAL', 'UNKNOWN', 'DEADLINE_EXCEEDED'];

/** Undefined: it passes; results is away, or the service stops. */
function readMergeFailure(err: unknown): MergeFailure | undefined {
  if (!(err instanceof ServiceError)) return undefined;
  if (err.reason === 'OUTPUTS_INCOMPLETE') {
    return { failure: `RESULTS_INCOMPLETE: ${err.message}`, isRetryable: true };
  }
  if (REFUSALS.includes(err.status)) return { failure: `RESULTS_REFUSED: ${err.message}`, isRetryable: false };
  if (FAULTS.includes(err.status)) {
    return { failure: 'MERGE_INTERRUPTED: the merge could not be finished', isRetryable: true };
  }
  return undefined;
}

/** What was merged. `taskFailure` null: no task failed; `relativeError` null: not known. */
interface Merged {
  readonly taskFailure: string | null;
  readonly tally: TaskTally;
  readonly relativeError: number | null;
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
  const chunk = mayGoOn ? Math.min(nextChunk(convergence), findPrimariesMax(draft, jobKey)) : 0;
  draft.putJob({
    ...job,
    convergence: chunk > 0 ? convergence : { ...convergence, isReached: isReachedBy(convergence) },
  });
  if (chunk > 0) addPrimaries(draft, jobKey, chunk, undefined);
  return chunk > 0;
}
