import type { AccessStore } from '../access/access-ports.js';
import type { JobStore, SubmissionStore } from '../ports.js';

export interface CleanUpPorts {
  readonly submissions: Pick<SubmissionStore, 'deleteExpiredKeys'>;
  readonly jobs: Pick<JobStore, 'compactCounts'>;
  readonly access: Pick<AccessStore, 'deleteExpiredShares'>;
}

/** Forgets idempotency keys and shares that are over, and folds the ledger. */
export async function cleanUp({ submissions, jobs, access }: CleanUpPorts): Promise<void> {
  await submissions.deleteExpiredKeys();
  await access.deleteExpiredShares();
  await jobs.compactCounts();
}
