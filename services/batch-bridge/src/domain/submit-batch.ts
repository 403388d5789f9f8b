import type { Clock } from '@tally/service-kit';
import { type ClusterChoice, checkSubmission, type SubmissionWish } from './check-submission.js';
import type { JobId } from './job-id.js';
import type { Signals, SubmissionIntents } from './ports.js';
import type { SubmissionOutcome } from './submission.js';

/** What {@link submitBatch} needs. */
export interface SubmitBatchPorts extends ClusterChoice {
  readonly intents: SubmissionIntents;
  readonly signals: Signals;
  readonly clock: Clock;
  /** How often the outcome is looked up while no signal comes, milliseconds. */
  readonly roundMs: number;
}

/** A submission as jobs asks for it. */
export interface SubmissionRequest extends SubmissionWish {
  readonly jobId: JobId;
  readonly userId: bigint;
}

/** Whether there is no use in waiting for more: it is decided, or it waits for something that may take hours. */
function isSettled(outcome: SubmissionOutcome): boolean {
  return outcome.kind !== 'underway' || outcome.waitingReason !== '';
}

/**
 * Stores a submission, so that the worker of its cluster carries it out, and waits for what comes of its first try. One
 * that is known already is not checked again: the configuration may have changed since.
 * @param waitMs - longest time until the answer
 * @throws ServiceError CLUSTER_UNKNOWN, BATCH_UNIMPLEMENTED, OPTION_INVALID
 */
export async function submitBatch(
  ports: SubmitBatchPorts,
  request: SubmissionRequest,
  waitMs: number,
): Promise<SubmissionOutcome> {
  const { intents, signals, clock, roundMs } = ports;
  const { jobId, userId } = request;
  const untilMs = clock.now().getTime() + waitMs;
  let wake = new AbortController();
  const unlisten = signals.onOutcome(jobId, () => wake.abort());
  try {
    let outcome = await accept(ports, request, { jobId, userId });
    for (;;) {
      const leftMs = untilMs - clock.now().getTime();
      if (isSettled(outcome) || leftMs <= 0) return outcome;
      await clock.sleep(Math.min(leftMs, roundMs), wake.signal);
      wake = new AbortController();
      outcome = (await intents.outcomeOf(jobId)) ?? { kind: 'revoked' };
    }
  } finally {
    unlisten();
  }
}

async function accept(
  { intents, clock, ...choice }: SubmitBatchPorts,
  wish: SubmissionWish,
  ids: Pick<SubmissionRequest, 'jobId' | 'userId'>,
): Promise<SubmissionOutcome> {
  const known = await intents.repeat(ids.jobId, clock.now());
  if (known !== undefined) return known;
  const { cluster, options } = checkSubmission(choice, wish);
  return intents.accept({ ...ids, clusterName: cluster.name, options }, clock.now());
}
