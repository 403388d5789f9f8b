import type { JobStore, SubmissionStore, Wake } from './ports.js';

export interface TidyPorts {
  readonly submissions: SubmissionStore;
  readonly jobs: JobStore;
  readonly wake: Wake;
  readonly submissionTimeoutMs: number;
}

/** Gives up submissions that never became a job, forgets expired idempotency keys, folds the ledger of counts. */
export async function tidyUp({ submissions, jobs, wake, submissionTimeoutMs }: TidyPorts): Promise<void> {
  if ((await submissions.abandonOldSubmissions(submissionTimeoutMs)) > 0) wake.deletions();
  await submissions.deleteExpiredKeys();
  await jobs.compactCounts();
}
