import type { WorkerPorts } from '../ports.js';
import type { Submission } from '../submission.js';

/** Name of the log in which the owner of a job reads what keeps it from its cluster. */
export const SUBMISSION_LOG = 'submission';

/** Adds a line to that log. When results is unavailable, the next line brings this one, too. */
export async function writeSubmissionLog(
  { store, results, clock, logger }: Pick<WorkerPorts, 'store' | 'results' | 'clock' | 'logger'>,
  { jobId }: Pick<Submission, 'jobId'>,
  message: string,
): Promise<void> {
  const text = await store.addLogLine(jobId, `${clock.now().toISOString()} ${message}`);
  await results
    .putLog(jobId, SUBMISSION_LOG, text)
    .catch((err: unknown) => logger.warn({ job_id: jobId, err }, 'log of a submission not stored'));
}
