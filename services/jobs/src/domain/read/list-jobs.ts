import { invalidField } from '../errors.js';
import { STATES } from '../job-state.js';
import type { JobListQuery, JobPage, JobStore, Versioned } from '../ports.js';

export const PAGE_SIZE_MAX = 100;

/**
 * A page of the acting user's jobs, newest first unless asked otherwise, ties in the order of their ids; a page beyond
 * the end is empty. An empty list of states means all. Not read where the caller has this version of it.
 * @throws ServiceError REQUEST_INVALID
 */
export async function listJobs(jobs: JobStore, query: JobListQuery, knownVersion: string): Promise<Versioned<JobPage>> {
  return jobs.listJobs(checkListQuery(query), knownVersion);
}

/** The query with the states that it means. @throws ServiceError REQUEST_INVALID */
export function checkListQuery(query: JobListQuery): JobListQuery {
  if (!Number.isInteger(query.pageSize) || query.pageSize < 1 || query.pageSize > PAGE_SIZE_MAX) {
    throw invalidField('/page_size', `must be an integer from 1 to ${PAGE_SIZE_MAX}`);
  }
  if (!Number.isInteger(query.pageIndex) || query.pageIndex < 1) {
    throw invalidField('/page_idx', 'must be an integer from 1');
  }
  const { states: searched } = query.search;
  const asked = query.states.length === 0 ? STATES : [...new Set(query.states)];
  return { ...query, states: searched.length === 0 ? asked : asked.filter((state) => searched.includes(state)) };
}
