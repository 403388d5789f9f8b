import type { JobId } from '../job-id.js';
import { requestStop } from '../submission-state.js';
import type { StopPorts } from './cancel-batch.js';

/** Stores that what a job has left on its cluster is to be removed, and the job ended if it has not. Safe to repeat. */
export function deleteBatch({ store, clock }: StopPorts, jobId: JobId): Promise<void> {
  return store.change(jobId, (stored) => requestStop(stored, jobId, 'deleted', clock.now()));
}
