import type { ErrandStore } from './batch-ports.js';
import type { JobStore, SubmissionStore, Wake } from './ports.js';

export interface TidyPorts {
  readonly submissions: SubmissionStore;
  readonly jobs: JobStore;
  readonly errands: ErrandStore;
  readonly wake: Wake;
  readonly submissionTimeoutMs: number;
}

/** Gives up submissions that never became a job, forgets what is over: idempotency keys, intents to submit; folds the ledger. */
export async function tidyUp({ submissions, jobs, errands, wake, submissionTimeoutMs }: TidyPorts): Promise<void> {
  if ((await submissions.abandonOldSubmissions(submissionTimeoutMs)) > 0) wake.deletions();
  await submissions.deleteExpiredKeys();
  await errands.dropEndedSubmits();
  await jobs.compactCounts();
}
