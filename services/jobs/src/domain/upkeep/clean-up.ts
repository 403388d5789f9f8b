import type { JobStore, SubmissionStore } from '../ports.js';

export interface CleanUpPorts {
  readonly submissions: Pick<SubmissionStore, 'deleteExpiredKeys'>;
  readonly jobs: Pick<JobStore, 'compactCounts'>;
}

/** Forgets idempotency keys that are over, and folds the ledger. */
export async function cleanUp({ submissions, jobs }: CleanUpPorts): Promise<void> {
  await submissions.deleteExpiredKeys();
  await jobs.compactCounts();
}
