import type { WorkerPorts } from '../ports.js';
import type { RemoteShell } from '../remote-shell.js';
import { isMarkerOf, type SubmissionIn } from '../submission.js';
import { beginAttempt, markNothingLeft, reschedule, updateSubmission } from '../submission-state.js';
import { retryTime } from '../submit/attempt-submission.js';
import { clearTime } from './report-end.js';

/**
 * Ends what a submission that failed has left at the scheduler: what was taken of it before, and what an sbatch that was given up
 * brings there late. It is asked again until nothing is shown any more, and nothing can come. Safe to repeat.
 * @throws ServiceError SCHEDULER_UNREACHABLE, and as RemoteShell
 */
export async function endLeft(
  ports: WorkerPorts,
  shell: RemoteShell,
  submission: SubmissionIn<'ended'>,
): Promise<void> {
  const { scheduler, store, clock, limits, logger } = ports;
  const { jobId, phase } = submission;
  const left = (await scheduler.listOpen(shell)).filter(({ marker }) => isMarkerOf(jobId, marker));
  const now = clock.now();
  if (left.length > 0) {
    logger.warn({ job_id: jobId, left }, 'a job that failed is still at the scheduler; canceled');
    await scheduler.cancel(shell, left);
  }
  const mayCome = phase.remoteJob?.schedulerJobs.some(
    ({ state }) => state.kind === 'attempted' && now.getTime() - state.attemptedAt.getTime() < limits.markerGraceMs,
  );
  if (left.length === 0 && mayCome !== true) {
    await updateSubmission(store, submission, (stored) => markNothingLeft(stored, clearTime(ports, now), now));
    return;
  }
  const dueAt = retryTime(ports, submission);
  await updateSubmission(store, submission, (stored) =>
    reschedule(beginAttempt(stored, dueAt), submission, { dueAt, waitingReason: '' }),
  );
}
