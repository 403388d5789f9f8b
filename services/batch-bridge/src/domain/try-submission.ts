import { type Clock, type Logger, ServiceError } from '@tally/service-kit';
import { describeFailure } from './describe-failure.js';
import { fail } from './errors.js';
import type { Jobs, Postponement, Results, SubmissionStore } from './ports.js';
import { type RetryLimits, retryPauseMs } from './retry-pause.js';
import type { StepOutcome } from './step-context.js';
import type { Submission } from './submission.js';

/** What {@link trySubmission} needs. */
export interface TrySubmissionPorts {
  readonly store: SubmissionStore;
  readonly jobs: Jobs;
  readonly results: Results;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: RetryLimits & {
    /** A job that cannot be submitted for so long fails. */
    readonly waitHoursMax: number;
  };
  /** This copy of the service is about to end: what fails now says nothing about the job. */
  readonly isStopping: () => boolean;
}

/** Name of the log in which the owner of a job reads why it was not submitted. */
export const SUBMISSION_LOG = 'submission';

/** What a login can mend: the job waits for it, whichever try it is. */
const WAITING = new Set(['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_UNUSABLE']);
/** What no later try would change. */
const FINAL = new Set(['SCHEDULER_REFUSED', 'UPDATE_KEY_MISSING', 'DECK_TOO_LARGE', 'SUBMISSION_EXPIRED']);
const HOUR_MS = 3_600_000;

/** What an error means for a submission. */
export type Verdict = 'fails' | 'waits' | 'is tried again';

/**
 * A first try that fails before the scheduler may know of it fails the job: nothing is there yet, and its owner is
 * waiting for the answer. Faults of this service and its neighbours never do.
 */
export function judgeFailure(err: unknown, isFirstChance: boolean): Verdict {
  if (!(err instanceof ServiceError)) return 'is tried again';
  if (WAITING.has(err.reason)) return 'waits';
  if (FINAL.has(err.reason)) return 'fails';
  return isFirstChance && err.domain === fail.domain ? 'fails' : 'is tried again';
}

/** One try of a submission that is due: takes its steps, and stores what came of it. Never throws for what steps throw. */
export async function trySubmission(
  ports: TrySubmissionPorts,
  submission: Submission,
  takeSteps: (onReachingScheduler: () => void) => Promise<StepOutcome>,
): Promise<void> {
  const { store, limits, isStopping } = ports;
  const { jobId, tryCount, phase } = submission;
  let isFirstChance = tryCount === 0 && phase.kind === 'accepted';
  await store.beginTry(jobId, later(ports, retryPauseMs(limits, tryCount)));
  try {
    refuseExpired(ports, submission);
    const outcome = await takeSteps(() => {
      isFirstChance = false;
    });
    if (outcome.kind === 'later') {
      await store.postpone(submission, {
        dueAt: later(ports, outcome.afterMs),
        waitingReason: submission.waitingReason,
      });
    }
  } catch (err) {
    if (isStopping()) return; // due again after the pause, in whatever copy
    await storeFailure(ports, submission, err, judgeFailure(err, isFirstChance));
  }
}

/** @throws ServiceError SUBMISSION_EXPIRED */
function refuseExpired({ clock, limits }: TrySubmissionPorts, { acceptedAt, waitingReason }: Submission): void {
  const isExpired = clock.now().getTime() - acceptedAt.getTime() > limits.waitHoursMax * HOUR_MS;
  if (isExpired) throw fail('SUBMISSION_EXPIRED', { cause: new Error(waitingReason) });
}

function later({ clock }: TrySubmissionPorts, afterMs: number): Date {
  return new Date(clock.now().getTime() + afterMs);
}

async function storeFailure(
  ports: TrySubmissionPorts,
  submission: Submission,
  err: unknown,
  verdict: Verdict,
): Promise<void> {
  const { store, clock, logger } = ports;
  const { jobId } = submission;
  const reason = err instanceof ServiceError ? err.reason : undefined;
  logger.warn({ job_id: jobId, cluster: submission.clusterName, reason, err, verdict }, 'submission failed');
  if (!(err instanceof ServiceError) || err.domain === 'kit') {
    return store.postpone(submission, pause(ports, submission, submission.waitingReason));
  }
  const words = describeFailure(err);
  if (verdict === 'fails') {
    await writeLog(ports, submission, words);
    return store.end(jobId, { reason: err.reason, message: words }, clock.now());
  }
  if (words !== submission.waitingReason) await writeLog(ports, submission, words);
  await ports.jobs
    .reportBatch(jobId, { waitingReason: words })
    .catch((cause: unknown) => logger.warn({ job_id: jobId, err: cause }, 'waiting reason not told')); // the next try tells it
  await store.postpone(submission, pause(ports, submission, words));
}

function pause(ports: TrySubmissionPorts, { tryCount }: Submission, waitingReason: string): Postponement {
  return { dueAt: later(ports, retryPauseMs(ports.limits, tryCount)), waitingReason };
}

/** Adds to the log that the owner reads. That results is away stops nothing: the next line brings this one, too. */
async function writeLog({ store, results, clock, logger }: TrySubmissionPorts, { jobId }: Submission, words: string) {
  const text = await store.addLogLine(jobId, `${clock.now().toISOString()} ${words}`);
  await results
    .putLog(jobId, SUBMISSION_LOG, text)
    .catch((err: unknown) => logger.warn({ job_id: jobId, err }, 'log of a submission not stored'));
}
