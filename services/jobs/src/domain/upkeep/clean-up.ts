import type { BridgeCommandStore } from '../batch/batch-ports.js';
import type { JobStore, Notifier, SubmissionStore } from '../ports.js';

export interface CleanUpPorts {
  readonly submissions: SubmissionStore;
  readonly jobs: JobStore;
  readonly commands: BridgeCommandStore;
  readonly notifier: Notifier;
  readonly submissionTimeoutMs: number;
}

/** Gives up submissions that never became a job, forgets what is over: idempotency keys, intents to submit; folds the ledger. */
export async function cleanUp({
  submissions,
  jobs,
  commands,
  notifier,
  submissionTimeoutMs,
}: CleanUpPorts): Promise<void> {
  if ((await submissions.abandonOldSubmissions(submissionTimeoutMs)) > 0) notifier.deletions();
  await submissions.deleteExpiredKeys();
  await commands.dropEndedSubmits();
  await jobs.compactCounts();
}
