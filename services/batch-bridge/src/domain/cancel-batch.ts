import type { Clock } from '@tally/service-kit';
import type { JobId } from './job-id.js';
import type { SubmissionIntents } from './ports.js';

/** What {@link cancelBatch} and {@link deleteBatch} need. */
export interface IntentPorts {
  readonly intents: SubmissionIntents;
  readonly clock: Clock;
}

/** Stores the intent to end a job on its cluster; the worker of the cluster carries it out. Safe to repeat. */
export function cancelBatch({ intents, clock }: IntentPorts, jobId: JobId): Promise<void> {
  return intents.requestCancel(jobId, clock.now());
}
