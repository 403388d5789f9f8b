import type { State } from './job-state.js';
import { requireOwn } from './owned.js';
import type { JobQuery, JobStore, Wake } from './ports.js';

/**
 * Cancels a job of the acting user. Pending tasks never start; running ones are told to stop by the answer to their
 * next heartbeat, or by their cluster's scheduler, so the intent survives everybody's restart. A terminal job stays as it
 * is.
 * @returns the state after the call
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function cancelJob(ports: { jobs: JobStore; wake: Wake }, query: JobQuery): Promise<State> {
  const state = requireOwn(await ports.jobs.cancelJob(query));
  ports.wake.outbox(); // its place in the window is free
  ports.wake.errands();
  return state;
}
