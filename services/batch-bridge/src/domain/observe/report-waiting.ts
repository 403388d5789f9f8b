import type { JobId } from '../job-id.js';
import type { WorkerPorts } from '../ports.js';
import type { SubmissionIn } from '../submission.js';
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
  for (const { jobId, waitingReason, desired } of submissions) {
    if (waitingReason === reason || desired !== 'run') continue;
    await ports.jobs.reportBatch(jobId, { waitingReason: reason });
    await storeWaiting(ports, jobId, reason);
  }
}

/** Remembers what was reported. */
export async function storeWaiting(
  { store }: Pick<WorkerPorts, 'store'>,
  jobId: JobId,
  waitingReason: string,
): Promise<void> {
  await updateSubmission(store, jobId, (stored) => setWaiting(stored, waitingReason));
}
