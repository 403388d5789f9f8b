import type { WorkerPorts } from '../ports.js';
import type { SubmissionIn } from '../submission.js';
import { markEndReported, updateSubmission } from '../submission-state.js';

const HOUR_MS = 3_600_000;

/** Reports to jobs that nothing more comes from the cluster. Safe to repeat. */
export async function reportEnd(
  { store, jobs, clock, limits }: Pick<WorkerPorts, 'store' | 'jobs' | 'clock' | 'limits'>,
  submission: SubmissionIn<'ended'>,
): Promise<void> {
  const { jobId, phase, lastTask } = submission;
  const { reason, message } = phase.end;
  const failure = reason === undefined ? message : `SUBMISSION_FAILED: ${message}`;
  await jobs.reportBatch(jobId, { end: { failure, lastTask } });
  const now = clock.now();
  const clearAt = new Date(now.getTime() + limits.folderKeepHours * HOUR_MS);
  await updateSubmission(store, submission, (stored) => markEndReported(stored, clearAt, now));
}
