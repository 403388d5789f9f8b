import type { Clock } from '@tally/service-kit';
import type { JobId } from '../job-id.js';
import type { SubmissionStore } from '../ports.js';
import { requestStop } from '../submission-state.js';

/** What {@link cancelBatch} and deleteBatch need. */
export interface StopPorts {
  readonly store: Pick<SubmissionStore, 'change'>;
  readonly clock: Clock;
}

/**
 * Stores that a job is to be ended on its cluster; the worker of the cluster does it. Safe to repeat.
 * @param lastTask - of the job when its end was wanted; 0: not said
 */
export function cancelBatch({ store, clock }: StopPorts, jobId: JobId, lastTask: number): Promise<void> {
  return store.change(jobId, (stored) => requestStop(stored, jobId, 'canceled', clock.now(), lastTask));
}
