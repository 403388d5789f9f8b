import { hash } from 'node:crypto';
import { type Sql, sql, sqlNumber } from '@tally/service-kit';
import type { Job } from '../domain/job.js';
import { STATES } from '../domain/job-state.js';
import type { JobListQuery, JobPage } from '../domain/ports.js';
import type { Database } from './database.js';
import { JOB_COLUMNS, type JobRow, toJob } from './job-row.js';

/**
 * A page and the number of all jobs that match. The number is the sum over the ledger job_counts. The page is read from
 * an index, from whichever end is nearer: the first and the last page of 100 000 jobs cost what those of 10 do.
 */
export async function listJobs(database: Database, query: JobListQuery): Promise<JobPage> {
  if (hasVersion(query)) return readNearPage(database, query);
  const offset = offsetOf(query);
  const jobCount = await countJobs(database, query);
  const size = Math.min(query.pageSize, jobCount - offset);
  if (size <= 0) return { jobs: [], jobCount };
  const offsetFromEnd = jobCount - offset - size;
  if (offset <= offsetFromEnd) {
    return { jobs: await readPage(database, query, { isBackwards: false, offset, size }), jobCount };
  }
  const reversed = await readPage(database, query, { isBackwards: true, offset: offsetFromEnd, size });
  return { jobs: reversed.toReversed(), jobCount };
}

const offsetOf = ({ pageIndex, pageSize }: JobListQuery) => (pageIndex - 1) * pageSize;

/** Rows before a page that cost less than asking first where it is. */
const NEAR_ROWS_MAX = 500;

/** `place` null: there is no job on the page, and the rest of the row says nothing. */
type NearRow = JobRow & RowVersion & { readonly jobCount: bigint; readonly place: bigint | null };

/** What PostgreSQL counts rows by (see JOB_VERSION). */
interface RowVersion {
  readonly rowVersion: string;
}
const ROW_VERSION = sql`jobs.id || '.' || jobs.xmin AS "rowVersion"`;

/** Number and page in one statement; without any job on the page there is one row all the same. */
async function readNearPage(database: Database, query: JobListQuery): Promise<JobPage> {
  const page = pageOf(query, nearSlice(query), sql<JobRow & RowVersion>`${JOB_COLUMNS}, ${ROW_VERSION}`);
  const rows = await database.rows(sql<NearRow>`
    SELECT page.*, counted.job_count AS "jobCount" FROM (${sumOfLedger(query)}) counted
    LEFT JOIN (SELECT *, row_number() OVER () AS place FROM (${page}) ordered) page ON true
    ORDER BY place`);
  const jobCount = rows[0]?.jobCount ?? 0n;
  const found = rows.filter(({ place }) => place !== null);
  const jobs = found.map(({ jobCount: _count, place: _place, rowVersion: _version, ...row }) => toJob(row));
  const version = versionOf(jobCount, found.map(({ rowVersion }) => rowVersion).join());
  return { jobs, jobCount: Number(jobCount), version };
}

/** Pages that lie far behind have none. */
export const hasVersion = (query: JobListQuery) => offsetOf(query) < NEAR_ROWS_MAX;

export interface PageVersionRow {
  readonly jobCount: bigint;
  /** Null: there is no job on the page. */
  readonly rowVersions: string | null;
}

/** What {@link toPageVersion} makes a version of, without the page: one row. */
export const pageVersion = (query: JobListQuery) => sql<PageVersionRow>`
  SELECT job_count AS "jobCount", (
    SELECT string_agg(page."rowVersion", ',')
    FROM (${pageOf(query, nearSlice(query), ROW_VERSION)}) page
  ) AS "rowVersions" FROM (${sumOfLedger(query)}) counted`;

export const toPageVersion = (row: PageVersionRow | undefined) =>
  versionOf(row?.jobCount ?? 0n, row?.rowVersions ?? '');

const nearSlice = (query: JobListQuery): Slice => ({
  isBackwards: false,
  offset: offsetOf(query),
  size: query.pageSize,
});

/** Rows are named in their order. */
const versionOf = (jobCount: bigint, rowVersions: string) => `${jobCount}-${hash('sha256', rowVersions, 'base64url')}`;

const sumOfLedger = ({ ownerId, states }: JobListQuery) => sql<{ readonly job_count: bigint }>`
  SELECT coalesce(sum(job_count), 0)::bigint AS job_count FROM job_counts
  WHERE owner_id = ${ownerId} AND state = ANY(${[...states]})`;

async function countJobs(database: Database, query: JobListQuery): Promise<number> {
  const row = await database.row(sumOfLedger(query));
  return Number(row?.job_count ?? 0n);
}

interface Slice {
  /** From the end of the listing, towards its start. */
  readonly isBackwards: boolean;
  readonly offset: number;
  readonly size: number;
}

/** Ascending is descending backwards: jobs without an end are last in the one, and first in the other. */
function orderOf({ order, isAscending }: JobListQuery, { isBackwards }: Slice): Sql {
  const isUpwards = isAscending !== isBackwards;
  if (order === 'start_time') return isUpwards ? sql`start_time, id` : sql`start_time DESC, id DESC`;
  return isUpwards ? sql`end_time NULLS FIRST, id` : sql`end_time DESC NULLS LAST, id DESC`;
}

async function readPage(database: Database, query: JobListQuery, slice: Slice): Promise<Job[]> {
  return (await database.rows(pageOf(query, slice, JOB_COLUMNS))).map(toJob);
}

function pageOf<Row>(query: JobListQuery, slice: Slice, columns: Sql<Row>): Sql<Row> {
  const order = orderOf(query, slice);
  const near =
    query.states.length === STATES.length ? nearOfAll(query, order, slice) : nearByState(query, order, slice);
  return sql`
    SELECT page.* FROM (
      SELECT * FROM (${near}) near ORDER BY ${order} LIMIT ${slice.size} OFFSET ${slice.offset}) ids
    CROSS JOIN LATERAL (SELECT ${columns} FROM jobs WHERE jobs.id = ids.id OFFSET 0) page
    ORDER BY ${order}`;
}

/**
 * How many rows up to the end of a slice are read at most, as a number in the text: the planner looks at no values, and takes a limit
 * that it does not know for a tenth of all rows. A power of two, as each number makes a statement of its own.
 */
const boundOf = ({ offset, size }: Slice) => sqlNumber(2 ** Math.max(3, Math.ceil(Math.log2(offset + size))));

const nearOfAll = ({ ownerId }: JobListQuery, order: Sql, slice: Slice) => sql`
  SELECT id, start_time, end_time FROM jobs WHERE owner_id = ${ownerId} ORDER BY ${order} LIMIT ${boundOf(slice)}`;

/** Each state gives its first rows from its own range of the index, so that rare states are found among many jobs. */
const nearByState = ({ ownerId, states }: JobListQuery, order: Sql, slice: Slice) => sql`
  SELECT found.* FROM unnest(${[...states]}::text[]) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT id, start_time, end_time FROM jobs
    WHERE owner_id = ${ownerId} AND jobs.state = wanted.state
    ORDER BY ${order} LIMIT ${boundOf(slice)}) found`;
