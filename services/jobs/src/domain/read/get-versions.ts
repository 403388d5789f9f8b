import { invalidField } from '../errors.js';
import type { JobStore, VersionQuery } from '../ports.js';
import { checkListQuery } from './list-jobs.js';

const QUERIES_MAX = 1_000;

/**
 * Versions of jobs and of pages of jobs, each of its own user; undefined: the user has no such job, or the page has no version.
 * @throws ServiceError REQUEST_INVALID
 */
export async function getVersions(
  jobs: JobStore,
  queries: readonly VersionQuery[],
): Promise<readonly (string | undefined)[]> {
  if (queries.length > QUERIES_MAX) throw invalidField('/queries', `are more than ${QUERIES_MAX}`);
  return jobs.findVersions(queries.map((query) => ('page' in query ? { page: checkListQuery(query.page) } : query)));
}
