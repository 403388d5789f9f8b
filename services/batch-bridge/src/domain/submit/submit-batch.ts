import type { Clock, Origin } from '@tally/service-kit';
import type { JobId } from '../job-id.js';
import type { ChangeListener, SubmissionStore } from '../ports.js';
import type { JobSpec, SubmissionOutcome } from '../submission.js';
import { accept, extend, isExtension, outcomeOf, repeat, takeFailure } from '../submission-state.js';
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
  /** Of the tasks that are to be submitted; 0: not said, the first one that is not known. */
  readonly firstTask: number;
  readonly spec: JobSpec;
  /** The request that asks for it. */
  readonly origin: Origin;
}

/** Whether there is no use in waiting for more: it is decided, or it waits for something that may take hours. */
function isSettled(outcome: SubmissionOutcome): boolean {
  return outcome.kind !== 'underway' || outcome.waitingReason !== '';
}

/**
 * Stores a submission, for the worker of its cluster, and waits for the outcome of its first attempt, with whose failure it
 * ends. One that is known already is not checked again: the configuration may have changed since.
 * @param waitMs - longest time until the answer; 0: nobody waits for it
 * @throws ServiceError CLUSTER_UNKNOWN, BATCH_UNIMPLEMENTED, OPTION_INVALID, SUBMISSION_UNFINISHED
 */
export async function submitBatch(
  ports: SubmitBatchPorts,
  request: SubmissionRequest,
  waitMs: number,
): Promise<SubmissionOutcome> {
  const { store, changes, clock, roundMs } = ports;
  const { jobId, userId, spec, origin } = request;
  const untilMs = clock.monotonicMs() + waitMs;
  let change = new AbortController();
  const unsubscribe = changes.onOutcome(jobId, () => change.abort());
  try {
    let outcome = await store.change(jobId, (stored) => {
      const lastTask = spec.tasks.length;
      if (isExtension(stored, lastTask)) {
        const firstTask = request.firstTask || stored.lastTask + 1;
        return { ...extend(stored, { userId, firstTask, lastTask, origin }, clock.now()), spec };
      }
      if (stored !== undefined) return { ...repeat(stored, clock.now()), spec };
      const { cluster, options } = checkSubmission(ports, request);
      const tasks = { firstTask: request.firstTask || 1, lastTask };
      return { ...accept({ jobId, userId, clusterName: cluster.name, options, origin, ...tasks }, clock.now()), spec };
    });
    for (;;) {
      const leftMs = untilMs - clock.monotonicMs();
      if (isSettled(outcome) && waitMs > 0)
        return await store.change(jobId, (stored) => takeFailure(stored, clock.now()));
      if (isSettled(outcome) || leftMs <= 0) return outcome;
      await clock.sleep(Math.min(leftMs, roundMs), change.signal);
      change = new AbortController();
      outcome = outcomeOf(await store.find(jobId));
    }
  } finally {
    unsubscribe();
  }
}
