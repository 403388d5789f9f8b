import { fail } from '../errors.js';
import type { JobId } from '../job.js';
import type { JobRow } from '../snapshot.js';
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

const DIGITS = /^\d+$/;

/**
 * The same without asking for the job, for who loads it anyway and then asks {@link isOver}. By its internal number a job
 * has to be looked up: the key is made from its id.
 */
export async function authorizeByKey(ports: WorkerPorts, credential: WorkerCredential): Promise<JobId> {
  const { jobRef, updateKey } = credential;
  if (DIGITS.test(jobRef)) return authorizeWorker(ports, credential);
  const jobId = jobRef.replaceAll('\0', '') as JobId;
  if (!isUpdateKey(ports.updateKeys, jobId, updateKey)) throw fail('UPDATE_KEY_INVALID');
  return jobId;
}

const HOUR_MS = 3_600_000;

/** Whether the key of a job is not valid any more. */
export function isOver({ closedAt }: Pick<JobRow, 'closedAt'>, now: Date, updateKeyHours: number): boolean {
  return closedAt !== null && now.getTime() - closedAt.getTime() > updateKeyHours * HOUR_MS;
}

/** What was found of a job that was there a moment ago. @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND */
export function requireThere<T>(answer: T | 'noTask' | undefined): T {
  if (answer === undefined) throw fail('UPDATE_KEY_INVALID'); // deleted meanwhile: as if it had never been
  if (answer === 'noTask') throw fail('TASK_NOT_FOUND');
  return answer;
}
