import { fail } from './errors.js';
import type { JobId } from './job.js';
import { isUpdateKey } from './update-key.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';

/**
 * The job that a worker may report on.
 * @throws ServiceError UPDATE_KEY_INVALID, one and the same for a wrong or expired key, another job's, and for no such job
 */
export async function authorizeWorker(
  { workers, updateKeys, updateKeyHours }: Pick<WorkerPorts, 'workers' | 'updateKeys' | 'updateKeyHours'>,
  { jobRef, updateKey }: WorkerCredential,
): Promise<JobId> {
  const job = await workers.findJob(jobRef, updateKeyHours);
  const isRight = isUpdateKey(updateKeys, job?.jobId, updateKey);
  if (job === undefined || !isRight || job.isOver) throw fail('UPDATE_KEY_INVALID');
  return job.jobId;
}

/** What was found of a job that was there a moment ago. @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND */
export function requireThere<T>(answer: T | 'noTask' | undefined): T {
  if (answer === undefined) throw fail('UPDATE_KEY_INVALID'); // deleted meanwhile: as if it had never been
  if (answer === 'noTask') throw fail('TASK_NOT_FOUND');
  return answer;
}
