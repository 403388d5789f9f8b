import { sql } from '@tally/service-kit';
import type { JobQuery, VersionQuery } from '../domain/ports.js';
import type { Database } from './database.js';
import { JOB_VERSION } from './job-row.js';
import { hasVersion, pageVersion, toPageVersion } from './list-jobs.js';

/** One statement for all jobs, and one for each page, those of all pages in one round trip. */
export async function findVersions(
  database: Database,
  queries: readonly VersionQuery[],
): Promise<readonly (string | undefined)[]> {
  const jobs = queries.flatMap((query) => ('job' in query ? [query.job] : []));
  const pages = queries.flatMap((query) => ('page' in query && hasVersion(query.page) ? [query.page] : []));
  const [jobRows, pageRows] = await Promise.all([
    jobs.length === 0 ? [] : database.rows(jobVersions(jobs)),
    pages.length === 0 ? [] : database.rowsOfEach(pages.map(pageVersion)),
  ]);
  const ofJobs = new Map(jobRows.map(({ place, version }) => [jobs[Number(place) - 1], version]));
  const ofPages = new Map(pages.map((page, i) => [page, toPageVersion(pageRows[i]?.[0])]));
  return queries.map((query) => ('job' in query ? ofJobs.get(query.job) : ofPages.get(query.page)));
}

interface JobVersionRow {
  /** Of its query, from 1. */
  readonly place: bigint;
  readonly version: string;
}

/** OFFSET: else the planner may find the jobs by their owners, and read all of a user. */
const jobVersions = (queries: readonly JobQuery[]) => sql<JobVersionRow>`
  SELECT place, ${JOB_VERSION}
  FROM unnest(${queries.map(({ jobId }) => jobId)}::text[], ${queries.map(({ ownerId }) => ownerId)}::bigint[],
    ${queries.map(({ platform }) => platform ?? null)}::text[]) WITH ORDINALITY AS asked (job_id, owner_id, platform, place)
  CROSS JOIN LATERAL (SELECT id, xmin, owner_id, platform FROM jobs WHERE job_id = asked.job_id OFFSET 0) jobs
  WHERE jobs.owner_id = asked.owner_id AND (asked.platform IS NULL OR jobs.platform = asked.platform)`;
