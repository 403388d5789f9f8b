import { backoffMs, ServiceError } from '@tally/service-kit';
import { describeError } from '../describe-error.js';
import { fail } from '../errors.js';
import type { WorkerPorts } from '../ports.js';
import type { Submission, SubmissionEnd } from '../submission.js';
import { beginAttempt, endSubmission, reschedule, updateSubmission } from '../submission-state.js';
import type { AdvanceOutcome } from './submit-context.js';

/** Name of the log in which the owner of a job reads why it was not submitted. */
export const SUBMISSION_LOG = 'submission';

/** What a login can mend: the job waits for it, whichever attempt it is. */
const WAITING = new Set(['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_UNUSABLE']);
/** What no later attempt would change. */
const FINAL = new Set(['SCHEDULER_REFUSED', 'UPDATE_KEY_MISSING', 'DECK_TOO_LARGE', 'SUBMISSION_EXPIRED']);
const HOUR_MS = 3_600_000;

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
    requireUnexpired(ports, submission);
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

/** @throws ServiceError SUBMISSION_EXPIRED */
function requireUnexpired({ clock, limits }: WorkerPorts, { acceptedAt, waitingReason }: Submission): void {
  const isExpired = clock.now().getTime() - acceptedAt.getTime() > limits.waitHoursMax * HOUR_MS;
  if (isExpired) throw fail('SUBMISSION_EXPIRED', { cause: new Error(waitingReason) });
}

async function storeError(ports: WorkerPorts, submission: Submission, err: unknown, verdict: Verdict): Promise<void> {
  const { store, clock, logger } = ports;
  const { jobId } = submission;
  const reason = err instanceof ServiceError ? err.reason : undefined;
  logger.warn({ job_id: jobId, cluster: submission.clusterName, reason, err, verdict }, 'submission failed');
  const retryLater = (waitingReason: string, failure?: SubmissionEnd) =>
    updateSubmission(store, submission, (stored) =>
      reschedule(stored, submission, { dueAt: retryTime(ports, submission), waitingReason, failure }),
    );
  if (!(err instanceof ServiceError) || err.domain === 'kit') {
    await retryLater(submission.waitingReason);
    return;
  }
  const message = describeError(err);
  if (verdict === 'fail' || message !== submission.waitingReason) await writeLog(ports, submission, message);
  const end = { reason: err.reason, message };
  if (verdict === 'fail') {
    await updateSubmission(store, submission, (stored) => endSubmission(stored, end, clock.now()));
    return;
  }
  if (verdict === 'answer') {
    await retryLater(message, end);
    return;
  }
  await ports.jobs
    .reportBatch(jobId, { waitingReason: message })
    .catch((cause: unknown) => logger.warn({ job_id: jobId, err: cause }, 'waiting reason not reported')); // the next attempt reports it
  await retryLater(message);
}

/** Adds to the log that the owner reads. When results is unavailable, the next line brings this one, too. */
async function writeLog({ store, results, clock, logger }: WorkerPorts, { jobId }: Submission, message: string) {
  const text = await store.addLogLine(jobId, `${clock.now().toISOString()} ${message}`);
  await results
    .putLog(jobId, SUBMISSION_LOG, text)
    .catch((err: unknown) => logger.warn({ job_id: jobId, err }, 'log of a submission not stored'));
}
