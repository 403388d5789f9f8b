import { fail } from './errors.js';
import type { JobId } from './job-id.js';
import type { Change, Lease, NewSubmission, SubmissionStore } from './ports.js';
import {
  DESIRED_STATES,
  isIn,
  NEXT_PHASES,
  type RemoteJob,
  type Revocation,
  type SchedulerJob,
  type SchedulerJobState,
  type StoredSubmission,
  type Submission,
  type SubmissionEnd,
  type SubmissionIn,
  type SubmissionOutcome,
  type SubmissionPhase,
  taskIdsOf,
} from './submission.js';

/*
 * Every change of a submission: pure functions from what is stored to what is to be stored. Storage loads, calls one of
 * them and saves (SubmissionStore.change); nothing else changes a submission.
 */

/**
 * Load, decide, store for a submission that must be there. Resolves to what it has become. One that was given further tasks
 * since it was loaded as `seen` stays as it is.
 */
export function updateSubmission(
  store: Pick<SubmissionStore, 'change'>,
  seen: Pick<Submission, 'jobId' | 'acceptedAt'>,
  update: (submission: Submission) => Submission,
): Promise<Submission> {
  const { jobId, acceptedAt } = seen;
  return store.change(jobId, (stored) => {
    if (stored === undefined || stored === 'revoked') throw new Error(`there is no submission ${jobId}`);
    const result = stored.acceptedAt.getTime() === acceptedAt.getTime() ? update(stored) : stored;
    return result === stored ? { result } : { save: result, result };
  });
}

/** The outcome so far, for whoever asked for the submission. */
export function outcomeOf(stored: StoredSubmission): SubmissionOutcome {
  if (stored === undefined || stored === 'revoked') return { kind: 'revoked' };
  const { phase, waitingReason } = stored;
  if (phase.kind === 'accepted' || phase.kind === 'uploaded') return { kind: 'underway', waitingReason };
  const { reason, message } = phase.kind === 'submitted' ? { message: '' } : phase.end;
  return reason === undefined ? { kind: 'submitted' } : { kind: 'failed', reason, message };
}

/** SubmitBatch for a job of which nothing is stored. */
export function accept(submission: NewSubmission, now: Date): Change<SubmissionOutcome> {
  const fresh = { acceptedAt: now, dueAt: now, attemptCount: 0, waitingReason: '', desired: 'run' } as const;
  const save: Submission = { ...submission, ...fresh, phase: { kind: 'accepted' } };
  return { save, wakesWorker: true, result: outcomeOf(save) };
}

/** SubmitBatch for a job that is known: if it waits, it is due now. */
export function repeat(stored: Submission | 'revoked', now: Date): Change<SubmissionOutcome> {
  const result = outcomeOf(stored);
  if (stored === 'revoked' || result.kind !== 'underway') return { result };
  if (result.waitingReason === '') return { save: stored, result }; // with what the command carries
  const dueAt = stored.dueAt !== undefined && stored.dueAt < now ? stored.dueAt : now;
  return { save: { ...stored, dueAt }, wakesWorker: true, result };
}

/**
 * Whoever waits for the outcome of the first attempt learns that it has failed: with that the submission ends. Of any other
 * nothing changes.
 */
export function takeFailure(stored: StoredSubmission, now: Date): Change<SubmissionOutcome> {
  const failure = typeof stored === 'object' && isIn('accepted', stored) ? stored.phase.failure : undefined;
  if (typeof stored !== 'object' || failure === undefined) return { result: outcomeOf(stored) };
  const save = endSubmission(stored, failure, now);
  return { save, wakesWorker: true, result: outcomeOf(save) };
}

/** Whether SubmitBatch asks for more tasks of a job than are known. */
export const isExtension = (stored: StoredSubmission, lastTask: number): stored is Submission =>
  typeof stored === 'object' && stored.lastTask > 0 && lastTask > stored.lastTask;

/**
 * SubmitBatch with further tasks of a job that is known, for the owner that it has now. What was submitted before them is not asked
 * about any more: jobs has all of it.
 * @throws ServiceError SUBMISSION_UNFINISHED while something of it is still to be submitted, or to be canceled
 */
export function extend(
  stored: Submission,
  tasks: Pick<Submission, 'userId' | 'firstTask' | 'lastTask' | 'origin'>,
  now: Date,
): Change<SubmissionOutcome> {
  if (stored.desired === 'deleted') return { result: { kind: 'revoked' } };
  const { kind } = stored.phase;
  const isThrough = kind === 'ended' || kind === 'cleared' || (kind === 'submitted' && stored.desired === 'run');
  if (!isThrough) throw fail('SUBMISSION_UNFINISHED');
  const fresh = { acceptedAt: now, attemptCount: 0, desired: 'run' } as const;
  const save = enter(settled({ ...stored, ...tasks, ...fresh }), { kind: 'accepted' }, now);
  return { save, wakesWorker: true, result: outcomeOf(save) };
}

/**
 * CancelBatch and DeleteBatch. A job of which nothing is stored is revoked; a command that asks for less changes nothing.
 * @param lastTask - of the job when its end was wanted; 0: whatever it has
 */
export function requestStop(
  stored: StoredSubmission,
  jobId: JobId,
  desired: Revocation['desired'],
  now: Date,
  lastTask = 0,
): Change<void> {
  const isOfBefore = lastTask > 0 && typeof stored === 'object' && stored.lastTask > lastTask;
  if (isOfBefore) return { result: undefined };
  if (stored === undefined) return { save: { jobId, desired, revokedAt: now }, result: undefined };
  if (stored === 'revoked' || DESIRED_STATES.indexOf(stored.desired) >= DESIRED_STATES.indexOf(desired)) {
    return { result: undefined };
  }
  const { phase } = stored;
  const isOver = phase.kind === 'cleared' || (phase.kind === 'ended' && desired === 'canceled');
  if (isOver) return { save: { ...stored, desired }, result: undefined };
  // a cancel spares the collect job, which a deletion does not: it is sent again
  const resent = isIn('submitted', stored) ? { ...stored.phase, cancelSentAt: undefined } : phase;
  return { save: { ...stored, desired, dueAt: now, phase: resent }, wakesWorker: true, result: undefined };
}

/** @throws Error when the phase does not follow the one that it is in */
function enter(submission: Submission, phase: SubmissionPhase, dueAt: Date | undefined): Submission {
  const { kind } = submission.phase;
  if (!NEXT_PHASES[kind].includes(phase.kind)) throw new Error(`a submission that is ${kind} cannot be ${phase.kind}`);
  return { ...submission, phase, dueAt };
}

/** @throws Error when it is in another phase */
function required<Kind extends SubmissionPhase['kind']>(kind: Kind, submission: Submission): SubmissionIn<Kind> {
  if (!isIn(kind, submission)) throw new Error(`a submission that is ${submission.phase.kind} is not ${kind}`);
  return submission;
}

const settled = (submission: Submission): Submission => ({ ...submission, waitingReason: '', attemptCount: 0 });

/** An attempt begins: counted. Should this process die under it, the next one is at `dueAt`. */
export function beginAttempt(submission: Submission, dueAt: Date): Submission {
  const phase = isIn('accepted', submission) ? { ...submission.phase, failure: undefined } : submission.phase;
  return { ...submission, phase, attemptCount: submission.attemptCount + 1, dueAt };
}

/**
 * Due later, or at once when a command has come since it was loaded as `seen`.
 * @param failure - of the first attempt, for whoever waits for its outcome
 */
export function reschedule(
  submission: Submission,
  seen: Submission,
  {
    dueAt,
    waitingReason,
    failure,
  }: { readonly dueAt: Date; readonly waitingReason: string; readonly failure?: SubmissionEnd },
): Submission {
  if (isIn('cleared', submission)) return submission;
  const phase = isIn('accepted', submission) ? { ...submission.phase, failure } : submission.phase;
  return {
    ...submission,
    phase,
    waitingReason,
    dueAt: submission.desired === seen.desired ? dueAt : submission.acceptedAt,
  };
}

/** Something of it is about to be put on the cluster under this login name. */
export function recordTarget(submission: Submission, username: string): Submission {
  return { ...submission, phase: { ...required('accepted', submission).phase, username } };
}

/** The folder is complete. */
export function markUploaded(submission: Submission, remoteJob: RemoteJob, now: Date): Submission {
  return enter(submission, { kind: 'uploaded', remoteJob }, now);
}

/** The scheduler has all it will ever get: what has no id by now will never be submitted, and is dropped. */
export function markSubmitted(submission: Submission, now: Date): Submission {
  const { remoteJob } = required('uploaded', submission).phase;
  const schedulerJobs = remoteJob.schedulerJobs.filter(({ state }) => 'id' in state);
  const phase = { kind: 'submitted', observedAt: now, remoteJob: { ...remoteJob, schedulerJobs } } as const;
  return settled(enter(submission, phase, submission.desired === 'run' ? undefined : now));
}

/**
 * The scheduler has lost tasks before they began: they are submitted again. A scheduler job that is lost whole is looked for
 * once more, and submitted under its own name; what else is lost of an array becomes arrays of its own.
 * @param ended - what its scheduler jobs that are over have come to, by ordinal; each of the others stays
 * @param lost - numbers of the tasks, and of the collect job, of those
 */
export function resubmit(
  submission: Submission,
  ended: ReadonlyMap<number, SchedulerJobState>,
  lost: ReadonlySet<number>,
  now: Date,
): Submission {
  if (!isIn('submitted', submission) || submission.desired !== 'run') return submission;
  const { remoteJob } = submission.phase;
  const again: Pick<SchedulerJob, 'firstTask' | 'taskCount'>[] = [];
  const before = remoteJob.schedulerJobs.map((job): SchedulerJob => {
    const end = ended.get(job.ordinal);
    if (job.state.kind !== 'known' || end === undefined) return job;
    const taskIds = taskIdsOf(job);
    if (taskIds.every((id) => lost.has(id))) {
      return { ...job, state: { kind: 'attempted', attemptedAt: job.state.knownAt } };
    }
    again.push(...runsOf(taskIds.filter((id) => lost.has(id))));
    return { ...job, state: end };
  });
  const next = Math.max(...before.map(({ ordinal }) => ordinal)) + 1;
  const added = again.map((run, i): SchedulerJob => ({ ordinal: next + i, ...run, state: { kind: 'planned' } }));
  const phase = { kind: 'uploaded', remoteJob: { ...remoteJob, schedulerJobs: [...before, ...added] } } as const;
  return enter(settled(submission), phase, now);
}

/** Numbers in ascending order as runs without a gap. */
function runsOf(taskIds: readonly number[]): Pick<SchedulerJob, 'firstTask' | 'taskCount'>[] {
  const firsts = taskIds.filter((id, i) => id - 1 !== taskIds[i - 1]);
  return firsts.map((firstTask, i) => {
    const end = taskIds.findIndex((id) => id === firsts[i + 1]);
    return { firstTask, taskCount: (end < 0 ? taskIds.length : end) - taskIds.indexOf(firstTask) };
  });
}

/** Why a submitted job waits; of any other nothing changes. */
export function setWaiting(submission: Submission, waitingReason: string): Submission {
  return isIn('submitted', submission) ? { ...submission, waitingReason } : submission;
}

/** The arrays were canceled on the cluster, as it was wanted when it was loaded as `seen`. */
export function markCancelSent(submission: Submission, seen: Submission, now: Date): Submission {
  const phase = { ...required('submitted', submission).phase, cancelSentAt: now };
  return settled({ ...submission, phase, dueAt: submission.desired === seen.desired ? undefined : now });
}

/** Nothing more comes from the cluster; due at once to be reported. */
export function endSubmission(submission: Submission, end: SubmissionEnd, now: Date): Submission {
  const ended = { kind: 'ended', endedAt: now, end, isReported: false } as const;
  return settled(enter(submission, { ...ended, remoteJob: remoteJobOf(submission.phase) }, now));
}

/** What is on the cluster. */
export function remoteJobOf(phase: SubmissionPhase): RemoteJob | undefined {
  if (phase.kind !== 'accepted') return phase.remoteJob;
  return phase.username === undefined ? undefined : { username: phase.username, taskCount: 0, schedulerJobs: [] };
}

/** Whether the scheduler has taken something of a submission. */
export const hasAccepted = ({ phase }: Submission): boolean =>
  remoteJobOf(phase)?.schedulerJobs.some(({ state }) => 'id' in state) === true;

/** Whether an ended submission may have something at the scheduler: it could not be submitted whole. */
export const mayHaveLeft = ({ phase }: SubmissionIn<'ended'>): boolean =>
  phase.remoteJob?.schedulerJobs.some(({ state }) => state.kind === 'attempted' || state.kind === 'known') === true;

/**
 * Jobs knows the end. What it may have left at the scheduler is due to be looked for; its folder to be removed at `clearAt`, or at
 * once when the job is deleted.
 */
export function markEndReported(submission: Submission, clearAt: Date, now: Date): Submission {
  const ended = required('ended', submission);
  const isDue = mayHaveLeft(ended) || submission.desired === 'deleted';
  return { ...submission, phase: { ...ended.phase, isReported: true }, attemptCount: 0, dueAt: isDue ? now : clearAt };
}

/** The scheduler has nothing of an ended submission any more, and will get nothing. */
export function markNothingLeft(submission: Submission, clearAt: Date, now: Date): Submission {
  const { phase } = required('ended', submission);
  const { remoteJob } = phase;
  const cleared = remoteJob && { ...remoteJob, schedulerJobs: [] };
  const dueAt = submission.desired === 'deleted' ? now : clearAt;
  return { ...submission, phase: { ...phase, remoteJob: cleared }, attemptCount: 0, dueAt };
}

/** Nothing is left on the cluster. */
export function markCleared(submission: Submission, now: Date): Submission {
  const { phase } = required('ended', submission);
  return settled(enter(submission, { ...phase, kind: 'cleared', clearedAt: now }, undefined));
}

/** What may follow what; anything else comes from a copy of the service that was too slow, and changes nothing. */
const NEXT_JOB_STATES: Readonly<Record<SchedulerJobState['kind'], readonly SchedulerJobState['kind'][]>> = {
  planned: ['attempted', 'known'],
  attempted: ['attempted', 'known'],
  known: ['lost', 'ended'],
  lost: [],
  ended: [],
};

/** Scheduler jobs of a submission that is uploaded or submitted take these states, by ordinal. */
export function setSchedulerJobs(submission: Submission, states: ReadonlyMap<number, SchedulerJobState>): Submission {
  const { phase } = submission;
  if ((phase.kind !== 'uploaded' && phase.kind !== 'submitted') || states.size === 0) return submission;
  const schedulerJobs = phase.remoteJob.schedulerJobs.map((job): SchedulerJob => {
    const state = states.get(job.ordinal);
    return state !== undefined && NEXT_JOB_STATES[job.state.kind].includes(state.kind) ? { ...job, state } : job;
  });
  return { ...submission, phase: { ...phase, remoteJob: { ...phase.remoteJob, schedulerJobs } } };
}

/** Distinguishes attempts to submit a scheduler job. */
const attemptOf = (state: SchedulerJobState): number | string =>
  state.kind === 'attempted' ? state.attemptedAt.getTime() : state.kind;

/**
 * sbatch is about to be called for a scheduler job that was loaded as `seen`. False: it must not be, since another copy of
 * the service has called it meanwhile, or the cluster is not held by `holder` any more.
 */
export function attemptSchedulerJob(
  stored: StoredSubmission,
  lease: Lease | undefined,
  seen: SchedulerJob,
  { holder, now }: { readonly holder: string; readonly now: Date },
): Change<boolean> {
  if (stored === undefined || stored === 'revoked' || !isIn('uploaded', stored)) return { result: false };
  const state = stored.phase.remoteJob.schedulerJobs.find(({ ordinal }) => ordinal === seen.ordinal)?.state;
  const isHeld = lease?.holder === holder && lease.expiresAt > now;
  if (!isHeld || state === undefined || attemptOf(state) !== attemptOf(seen.state)) return { result: false };
  const attempted = new Map([[seen.ordinal, { kind: 'attempted', attemptedAt: now } as const]]);
  return { save: setSchedulerJobs(stored, attempted), result: true };
}
