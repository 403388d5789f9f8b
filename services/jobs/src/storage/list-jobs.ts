import { type Sql, sql, sqlNumber } from '@tally/service-kit';
import { STATES } from '../domain/job-state.js';
import type { JobListQuery, JobPage, Versioned } from '../domain/ports.js';
import type { Database } from './database.js';
import { JOB_COLUMNS, type JobRow, toJob } from './job-row.js';
import { readUnlessKnown } from './read-unless-known.js';

/** Rows before a page that cost less than asking first where it is. */
const NEAR_ROWS_MAX = 500;

/**
 * A page and the number of all jobs that match. The number is the sum over the ledger job_counts. The page is read from
 * an index, from whichever end is nearer: the first and the last page of 100 000 jobs cost what those of 10 do.
 */
export async function listJobs(
  database: Database,
  query: JobListQuery,
  knownVersion: string,
): Promise<Versioned<JobPage>> {
  const [offset, size] = [(query.pageIndex - 1) * query.pageSize, query.pageSize];
  const first = { isBackwards: false, offset, size };
  const page =
    offset < NEAR_ROWS_MAX ? pageOf(query, first, sumOfLedger(query)) : await farPageOf(database, query, first);
  const { version = '', rows } = (await readUnlessKnown(database, page, knownVersion)) ?? {};
  if (rows === undefined) return { version, shown: undefined };
  const found = rows.filter((row): row is PageRow & JobRow => row.jobKey !== null);
  return { version, shown: { jobs: found.map(toJob), jobCount: Number(rows[0]?.jobCount ?? 0n) } };
}

/** There is one row without a job where none is on the page. */
type PageRow = { readonly [K in keyof JobRow]: JobRow[K] | null } & { readonly jobCount: bigint };

/** From the end that is nearer. */
async function farPageOf(database: Database, query: JobListQuery, { offset, size }: Slice): Promise<Sql<PageRow>> {
  const jobCount = Number((await database.row(sumOfLedger(query)))?.job_count ?? 0n);
  const counted = sql<Counted>`SELECT ${jobCount}::bigint AS job_count`;
  const sizeLeft = Math.min(size, jobCount - offset);
  if (sizeLeft <= 0) return pageOf(query, { isBackwards: false, offset: 0, size: 0 }, counted);
  const offsetFromEnd = jobCount - offset - sizeLeft;
  const isBackwards = offsetFromEnd < offset;
  return pageOf(query, { isBackwards, offset: isBackwards ? offsetFromEnd : offset, size: sizeLeft }, counted);
}

interface Counted {
  readonly job_count: bigint;
}

const sumOfLedger = ({ ownerId, states }: JobListQuery) => sql<Counted>`
  SELECT coalesce(sum(job_count), 0)::bigint AS job_count FROM job_counts
  WHERE owner_id = ${ownerId} AND state = ANY(${[...states]})`;

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

/** The page beside the number of jobs. */
function pageOf(query: JobListQuery, slice: Slice, counted: Sql<Counted>): Sql<PageRow> {
  const order = orderOf(query, slice);
  const near =
    query.states.length === STATES.length ? nearOfAll(query, order, slice) : nearByState(query, order, slice);
  return sql`
    SELECT job_count AS "jobCount", page.* FROM (${counted}) counted
    LEFT JOIN (
      SELECT job.*, row_number() OVER (ORDER BY ${orderOf(query, { ...slice, isBackwards: false })}) AS place
      FROM (SELECT * FROM (${near}) near ORDER BY ${order} LIMIT ${slice.size} OFFSET ${slice.offset}) ids
      CROSS JOIN LATERAL (SELECT ${JOB_COLUMNS} FROM jobs WHERE jobs.id = ids.id OFFSET 0) job) page ON true`;
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
