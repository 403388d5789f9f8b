import type { IntentPorts } from './cancel-batch.js';
import type { JobId } from './job-id.js';

/** Stores the intent to remove what a job has left on its cluster, and to end it if it has not. Safe to repeat. */
export function deleteBatch({ intents, clock }: IntentPorts, jobId: JobId): Promise<void> {
  return intents.requestDelete(jobId, clock.now());
}
