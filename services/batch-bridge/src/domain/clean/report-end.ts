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
  await updateSubmission(store, submission, (stored) => markEndReported(stored, clearTime({ limits }, now), now));
}

/** When the folder of a job that has ended is to be removed. */
export function clearTime({ limits }: Pick<WorkerPorts, 'limits'>, now: Date): Date {
  return new Date(now.getTime() + limits.folderKeepHours * HOUR_MS);
}
