import type { WorkerPorts } from '../ports.js';
import type { Submission, SubmissionIn } from '../submission.js';
import { setWaiting, updateSubmission } from '../submission-state.js';

/**
 * Reports to jobs why submitted jobs wait, such as for an expired certificate or a cluster that does not answer; only
 * where that is news. Nothing else is decided about them. @param reason - for people; empty: they do not wait
 */
export async function reportWaiting(
  ports: Pick<WorkerPorts, 'jobs' | 'store'>,
  submissions: readonly SubmissionIn<'submitted'>[],
  reason: string,
): Promise<void> {
  for (const submission of submissions) {
    const { jobId, waitingReason, desired } = submission;
    if (waitingReason === reason || desired !== 'run') continue;
    await ports.jobs.reportBatch(jobId, { waitingReason: reason });
    await storeWaiting(ports, submission, reason);
  }
}

/** Remembers what was reported. */
export async function storeWaiting(
  { store }: Pick<WorkerPorts, 'store'>,
  submission: Submission,
  waitingReason: string,
): Promise<void> {
  await updateSubmission(store, submission, (stored) => setWaiting(stored, waitingReason));
}
