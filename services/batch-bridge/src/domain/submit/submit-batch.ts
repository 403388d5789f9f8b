import type { Clock } from '@tally/service-kit';
import type { JobId } from '../job-id.js';
import type { ChangeListener, SubmissionStore } from '../ports.js';
import type { JobSpec, SubmissionOutcome } from '../submission.js';
import { accept, outcomeOf, repeat } from '../submission-state.js';
import { type ClusterChoice, type ClusterRequest, checkSubmission } from './check-submission.js';

/** What {@link submitBatch} needs. */
export interface SubmitBatchPorts extends ClusterChoice {
  readonly store: Pick<SubmissionStore, 'change' | 'find'>;
  readonly changes: ChangeListener;
  readonly clock: Clock;
  /** How often the outcome is looked up while no change is announced, milliseconds. */
  readonly roundMs: number;
}

/** A submission as jobs asks for it. */
export interface SubmissionRequest extends ClusterRequest {
  readonly jobId: JobId;
  readonly userId: bigint;
  /** Undefined: from the release before. */
  readonly spec: JobSpec | undefined;
}

/** Whether there is no use in waiting for more: it is decided, or it waits for something that may take hours. */
function isSettled(outcome: SubmissionOutcome): boolean {
  return outcome.kind !== 'underway' || outcome.waitingReason !== '';
}

/**
 * Stores a submission, for the worker of its cluster, and waits for the outcome of its first attempt. One that is known
 * already is not checked again: the configuration may have changed since.
 * @param waitMs - longest time until the answer
 * @throws ServiceError CLUSTER_UNKNOWN, BATCH_UNIMPLEMENTED, OPTION_INVALID
 */
export async function submitBatch(
  ports: SubmitBatchPorts,
  request: SubmissionRequest,
  waitMs: number,
): Promise<SubmissionOutcome> {
  const { store, changes, clock, roundMs } = ports;
  const { jobId, userId, spec } = request;
  const untilMs = clock.now().getTime() + waitMs;
  let change = new AbortController();
  const unsubscribe = changes.onOutcome(jobId, () => change.abort());
  try {
    let outcome = await store.change(jobId, (stored) => {
      if (stored !== undefined) return { ...repeat(stored, clock.now()), spec };
      const { cluster, options } = checkSubmission(ports, request);
      return { ...accept({ jobId, userId, clusterName: cluster.name, options }, clock.now()), spec };
    });
    for (;;) {
      const leftMs = untilMs - clock.now().getTime();
      if (isSettled(outcome) || leftMs <= 0) return outcome;
      await clock.sleep(Math.min(leftMs, roundMs), change.signal);
      change = new AbortController();
      outcome = outcomeOf(await store.find(jobId));
    }
  } finally {
    unsubscribe();
  }
}
