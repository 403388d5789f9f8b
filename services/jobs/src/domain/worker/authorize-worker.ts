import { fail } from '../errors.js';
import type { JobId } from '../job.js';
import type { JobRow } from '../snapshot.js';
import { isUpdateKey } from './update-key.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';

const DIGITS = /^\d+$/;

/**
 * The job that a worker may report on, if there is such a job and its key is not over: who loads the job finds out. By its internal
 * number a job has to be looked up, as its key is made from its id.
 * @throws ServiceError UPDATE_KEY_INVALID, one and the same for a wrong or expired key, another job's, and for no such job
 */
export async function authorizeWorker(
  { workers, updateKeys }: Pick<WorkerPorts, 'workers' | 'updateKeys'>,
  { jobRef, updateKey }: WorkerCredential,
): Promise<JobId> {
  const jobId = DIGITS.test(jobRef) ? await workers.findJobId(jobRef) : (jobRef.replaceAll('\0', '') as JobId);
  if (!isUpdateKey(updateKeys, jobId, updateKey) || jobId === undefined) throw fail('UPDATE_KEY_INVALID');
  return jobId;
}

const HOUR_MS = 3_600_000;

/** Whether the key of a job is not valid any more. */
export function isOver({ closedAt }: Pick<JobRow, 'closedAt'>, now: Date, updateKeyHours: number): boolean {
  return closedAt !== null && now.getTime() - closedAt.getTime() > updateKeyHours * HOUR_MS;
}

/** What was found of an authorized worker's job. @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND */
export function requireThere<T>(answer: T | 'noTask' | undefined): T {
  if (answer === undefined) throw fail('UPDATE_KEY_INVALID'); // as if it had never been
  if (answer === 'noTask') throw fail('TASK_NOT_FOUND');
  return answer;
}
