import { fail } from './errors.js';
import { requireOwn } from './owned.js';
import type { JobQuery, JobStore, Wake } from './ports.js';

/**
 * Removes a terminal job of the acting user here at once, and its data in results, and what is left on a cluster, by
 * intents that are tried until they are done.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, JOB_NOT_TERMINAL
 */
export async function deleteJob(ports: { jobs: JobStore; wake: Wake }, query: JobQuery): Promise<void> {
  const outcome = requireOwn(await ports.jobs.deleteJob(query));
  if (outcome === 'notTerminal') throw fail('JOB_NOT_TERMINAL');
  ports.wake.deletions();
  ports.wake.errands();
}
