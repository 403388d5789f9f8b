import type { ObservationPorts } from './observation-ports.js';
import type { SubmissionIn } from './submission.js';

/**
 * Tells jobs why submitted jobs do not go on, such as an expired certificate or a cluster that does not answer; only
 * where that is news. Nothing else is decided about them. @param reason - for people; empty: they do go on
 */
export async function reportWaiting(
  { jobs, tasks }: Pick<ObservationPorts, 'jobs' | 'tasks'>,
  submissions: readonly SubmissionIn<'submitted'>[],
  reason: string,
): Promise<void> {
  for (const { jobId, waitingReason, isCancelWanted, isDeleteWanted } of submissions) {
    if (waitingReason === reason || isCancelWanted || isDeleteWanted) continue;
    await jobs.reportBatch(jobId, { waitingReason: reason });
    await tasks.setWaiting(jobId, reason);
  }
}
