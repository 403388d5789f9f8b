import { requireOwn } from '../owned.js';
import type { JobQuery, JobStore, Versioned } from '../ports.js';
import type { JobWithTasks } from '../task.js';

/**
 * A job of the acting user with its tasks, all of one moment, unless the caller has this version of it. Changes nothing.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function getJob(jobs: JobStore, query: JobQuery, knownVersion: string): Promise<Versioned<JobWithTasks>> {
  return requireOwn(await jobs.findJob(query, knownVersion));
}
