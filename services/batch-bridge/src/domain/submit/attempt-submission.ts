import { backoffMs, ServiceError } from '@tally/service-kit';
import { describeError } from '../describe-error.js';
import { fail } from '../errors.js';
import type { BatchReport, WorkerPorts } from '../ports.js';
import { isCollect, isIn, type Submission, type SubmissionEnd, type SubmissionIn } from '../submission.js';
import {
  beginAttempt,
  endSubmission,
  hasAccepted,
  markSubmitted,
  reschedule,
  updateSubmission,
} from '../submission-state.js';
import { writeSubmissionLog } from './submission-log.js';
import type { AdvanceOutcome } from './submit-context.js';

/** What a login can mend: the job waits for it, whichever attempt it is. */
const WAITING = new Set(['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_UNUSABLE']);
/** What no later attempt would change. */
const FINAL = new Set(['SCHEDULER_REFUSED', 'UPDATE_KEY_MISSING', 'DECK_TOO_LARGE']);
const HOUR_MS = 3_600_000;
/** What the owner reads of an error that is neither of the cluster nor of the job; it is in the log of this service. */
const OWN_FAULT = 'A part of the service does not work at the moment; the job is retried';

/** What an error means for a submission. `answer`: it fails if somebody waits for its outcome, or is retried. */
export type Verdict = 'fail' | 'answer' | 'wait' | 'retry';

/**
 * An error of the first attempt, before the scheduler may know of it, is the answer to an owner who waits for one: nothing is
 * there yet. Errors of this service and of other services never are.
 * @param isFirst - the first attempt, and the scheduler has not been asked to submit anything
 */
export function judgeError(err: unknown, isFirst: boolean): Verdict {
  if (!(err instanceof ServiceError)) return 'retry';
  if (WAITING.has(err.reason)) return 'wait';
  if (FINAL.has(err.reason)) return 'fail';
  return isFirst && err.domain === fail.domain ? 'answer' : 'retry';
}

/** One attempt for a submission that is due, whose outcome is stored. Never throws for what `work` throws. */
export async function attemptSubmission(
  ports: WorkerPorts,
  submission: Submission,
  work: (onContactScheduler: () => void) => Promise<AdvanceOutcome>,
): Promise<void> {
  const { store, stopping } = ports;
  const { attemptCount, phase, waitingReason, firstTask } = submission;
  const retryAt = retryTime(ports, submission);
  // nobody waits for the answer to further tasks, and what the job has is to be kept
  let isFirst = attemptCount === 0 && phase.kind === 'accepted' && firstTask === 1;
  await updateSubmission(store, submission, (stored) => beginAttempt(stored, retryAt));
  try {
    if (isExpired(ports, submission)) return await giveUp(ports, submission);
    const outcome = await work(() => {
      isFirst = false;
    });
    if (outcome.kind === 'done') return;
    const dueAt = new Date(ports.clock.now().getTime() + outcome.pollAfterMs);
    await updateSubmission(store, submission, (stored) => reschedule(stored, submission, { dueAt, waitingReason }));
  } catch (err) {
    if (stopping.aborted) return; // due again after the pause, in whatever copy
    await storeError(ports, submission, err, judgeError(err, isFirst));
  }
}

/** When a submission is due again after an attempt that came to nothing. */
export function retryTime(
  { clock, limits }: Pick<WorkerPorts, 'clock' | 'limits'>,
  { attemptCount }: Submission,
): Date {
  return new Date(clock.now().getTime() + backoffMs(limits.retryFirstMs, limits.retryMaxMs, attemptCount));
}

/** Whether a submission has waited for as long as it may. */
function isExpired({ clock, limits }: WorkerPorts, { acceptedAt }: Submission): boolean {
  return clock.now().getTime() - acceptedAt.getTime() > limits.waitHoursMax * HOUR_MS;
}

/**
 * What could not be submitted for too long is given up. What the scheduler has taken of it goes on, and its tasks give what they
 * give.
 */
async function giveUp(ports: WorkerPorts, submission: Submission): Promise<void> {
  const { store, jobs, clock } = ports;
  const { jobId, waitingReason } = submission;
  const expired = fail('SUBMISSION_EXPIRED', { cause: new Error(waitingReason) });
  if (!isIn('uploaded', submission) || !hasAccepted(submission)) return storeError(ports, submission, expired, 'fail');
  await writeSubmissionLog(ports, submission, `${describeError(expired)}. What was submitted of it goes on`);
  await jobs.reportBatch(jobId, { waitingReason: '', ...idsOf(submission) });
  await updateSubmission(store, submission, (stored) => markSubmitted(stored, clock.now()));
}

function idsOf({ phase }: SubmissionIn<'uploaded'>): Pick<BatchReport, 'arrayId' | 'collectId'> {
  const known = phase.remoteJob.schedulerJobs.flatMap((job) =>
    'id' in job.state ? [{ isCollect: isCollect(job), id: job.state.id }] : [],
  );
  const idOf = (isCollectJob: boolean) => known.find((job) => job.isCollect === isCollectJob)?.id;
  return { arrayId: idOf(false), collectId: idOf(true) };
}

async function storeError(ports: WorkerPorts, submission: Submission, err: unknown, verdict: Verdict): Promise<void> {
  const { store, clock, logger, limits } = ports;
  const { jobId } = submission;
  const reason = err instanceof ServiceError ? err.reason : undefined;
  logger.warn({ job_id: jobId, cluster: submission.clusterName, reason, err, verdict }, 'submission failed');
  const isOwnFault = !(err instanceof ServiceError) || err.domain === 'kit';
  const message = isOwnFault ? OWN_FAULT : describeError(err);
  if (verdict === 'fail' || message !== submission.waitingReason) await writeSubmissionLog(ports, submission, message);
  const end = { reason, message };
  if (verdict === 'fail') {
    await updateSubmission(store, submission, (stored) => endSubmission(stored, end, clock.now()));
    return;
  }
  const isLimit = reason === 'SCHEDULER_BUSY'; // until other jobs have ended
  const dueAt = isLimit ? new Date(clock.now().getTime() + limits.retryMaxMs) : retryTime(ports, submission);
  const failure: SubmissionEnd | undefined = verdict === 'answer' ? end : undefined;
  if (verdict !== 'answer') {
    await ports.jobs
      .reportBatch(jobId, { waitingReason: message })
      .catch((cause: unknown) => logger.warn({ job_id: jobId, err: cause }, 'waiting reason not reported')); // the next attempt reports it
  }
  await updateSubmission(store, submission, (stored) =>
    reschedule(stored, submission, { dueAt, waitingReason: message, failure }),
  );
}
