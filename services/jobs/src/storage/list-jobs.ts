import type { Sql } from '@tally/service-kit';
import type { JobListQuery, JobPage, Versioned } from '../domain/ports.js';
import type { Database } from './database.js';
import { readUnlessKnown } from './read-unless-known.js';
import { asCounted, type PageRow, pageOf, pageOfFound, type Slice, sumOfLedger } from './statements/job-pages.js';
import { JOB_COLUMNS, type JobRow, toJob } from './statements/job-row.js';
import { isPlain, ownJobs } from './statements/labels/search.js';

/** Rows before a page that cost less than asking first where it is. */
const NEAR_ROWS_MAX = 500;

/**
 * A page and the number of all jobs that match. The number is the sum over the ledger job_counts. The page is read from
 * an index, from whichever end is nearer: the first and the last page of 100 000 jobs cost what those of 10 do. Of a search all matches
 * are found first.
 */
export async function listJobs(
  database: Database,
  query: JobListQuery,
  knownVersion: string,
): Promise<Versioned<JobPage>> {
  const [offset, size] = [(query.pageIndex - 1) * query.pageSize, query.pageSize];
  const first = { isBackwards: false, offset, size };
  const page = await choosePage(database, query, first);
  const { version = '', rows } = (await readUnlessKnown(database, page, knownVersion)) ?? {};
  if (rows === undefined) return { version, shown: undefined };
  const found = rows.filter((row): row is PageRow & JobRow => row.jobKey !== null);
  return { version, shown: { jobs: found.map(toJob), jobCount: Number(rows[0]?.jobCount ?? 0n) } };
}

/** What a search finds is counted and put in order by itself. */
async function choosePage(database: Database, query: JobListQuery, slice: Slice): Promise<Sql<PageRow>> {
  if (!isPlain(query)) return pageOfFound(query, slice, ownJobs(query), JOB_COLUMNS);
  if (slice.offset < NEAR_ROWS_MAX) return pageOf(query, slice, sumOfLedger(query));
  return farPageOf(database, query, slice);
}

/** From the end that is nearer. */
async function farPageOf(database: Database, query: JobListQuery, { offset, size }: Slice): Promise<Sql<PageRow>> {
  const jobCount = Number((await database.row(sumOfLedger(query)))?.job_count ?? 0n);
  const counted = asCounted(jobCount);
  const sizeLeft = Math.min(size, jobCount - offset);
  if (sizeLeft <= 0) return pageOf(query, { isBackwards: false, offset: 0, size: 0 }, counted);
  const offsetFromEnd = jobCount - offset - sizeLeft;
  const isBackwards = offsetFromEnd < offset;
  return pageOf(query, { isBackwards, offset: isBackwards ? offsetFromEnd : offset, size: sizeLeft }, counted);
}
