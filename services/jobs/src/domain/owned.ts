import { fail } from './errors.js';
import type { JobQuery, JobStore, Owned } from './ports.js';

/**
 * The acting user's own thing.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export function requireOwn<T>(owned: Owned<T>): T {
  switch (owned.kind) {
    case 'own':
      return owned.value;
    case 'foreign':
      throw fail('JOB_OF_ANOTHER_USER');
    case 'missing':
      throw fail('JOB_NOT_FOUND');
  }
}

/** The same for what a query for an own job found; undefined: none. */
export async function requireFound<T>(jobs: Pick<JobStore, 'explainMiss'>, query: JobQuery, found: T | undefined) {
  return found ?? requireOwn<T>({ kind: await jobs.explainMiss(query) });
}
