import { type Sql, sql, sqlNumber } from '@tally/service-kit';
import { STATES } from '../../domain/job-state.js';
import type { JobListQuery } from '../../domain/ports.js';
import { JOB_COLUMNS, type JobRow } from './job-row.js';
import { foundJobs, inArchive, ledgerNames, type Searched } from './labels/search.js';

/** There is one row without a job where none is on the page. */
export type PageRow = { readonly [K in keyof JobRow]: JobRow[K] | null } & { readonly jobCount: bigint };

export interface Counted {
  readonly job_count: bigint;
}

/** How many jobs match. */
export const sumOfLedger = (query: JobListQuery): Sql<Counted> => sql`
  SELECT coalesce(sum(job_count), 0)::bigint AS job_count FROM job_counts
  WHERE owner_id = ${query.ownerId} AND state = ANY(${ledgerNames(query)})`;

/** In the place of {@link sumOfLedger}, where the number is known. */
export const asCounted = (jobCount: number): Sql<Counted> => sql`SELECT ${jobCount}::bigint AS job_count`;

/** Which jobs of a listing. */
export interface Slice {
  /** From the end of the listing, towards its start. */
  readonly isBackwards: boolean;
  readonly offset: number;
  readonly size: number;
}

/** Ascending is descending backwards: jobs without an end are last in the one, and first in the other. */
export function orderOf({ order, isAscending }: JobListQuery, { isBackwards }: Slice): Sql {
  const isUpwards = isAscending !== isBackwards;
  if (order === 'start_time') return isUpwards ? sql`start_time, id` : sql`start_time DESC, id DESC`;
  return isUpwards ? sql`end_time NULLS FIRST, id` : sql`end_time DESC NULLS LAST, id DESC`;
}

/** The page beside the number of jobs. */
export function pageOf(query: JobListQuery, slice: Slice, counted: Sql<Counted>): Sql<PageRow> {
  const order = orderOf(query, slice);
  const near =
    query.states.length === STATES.length ? nearOfAll(query, order, slice) : nearByState(query, order, slice);
  return showPage(query, slice, near, counted, JOB_COLUMNS);
}

/** The page of what a search finds, beside its number. */
export const pageOfFound = <Row extends PageRow>(
  query: JobListQuery,
  slice: Slice,
  searched: Searched,
  columns: Sql,
): Sql<Row> => sql<Row>`
  WITH found AS MATERIALIZED (${foundJobs(query, searched)})
  ${showPage<Row>(query, slice, sql`SELECT * FROM found`, sql`SELECT count(*) AS job_count FROM found`, columns)}`;

/**
 * A page of jobs beside the number of all.
 * @param near - id, start_time and end_time of at least those on the page and before it
 * @param columns - of `jobs`, as the page shows them
 */
export function showPage<Row extends PageRow>(
  query: JobListQuery,
  slice: Slice,
  near: Sql,
  counted: Sql<Counted>,
  columns: Sql,
): Sql<Row> {
  const order = orderOf(query, slice);
  return sql`
    SELECT job_count AS "jobCount", page.* FROM (${counted}) counted
    LEFT JOIN (
      SELECT job.*, row_number() OVER (ORDER BY ${orderOf(query, { ...slice, isBackwards: false })}) AS place
      FROM (SELECT * FROM (${near}) near ORDER BY ${order} LIMIT ${slice.size} OFFSET ${slice.offset}) ids
      CROSS JOIN LATERAL (SELECT ${columns} FROM jobs WHERE jobs.id = ids.id OFFSET 0) job) page ON true
    ORDER BY place`;
}

/**
 * How many rows up to the end of a slice are read at most, as a number in the text: the planner looks at no values, and takes a limit
 * that it does not know for a tenth of all rows. A power of two, as each number makes a statement of its own.
 */
export const boundOf = ({ offset, size }: Slice) => sqlNumber(2 ** Math.max(3, Math.ceil(Math.log2(offset + size))));

const nearOfAll = ({ ownerId, search }: JobListQuery, order: Sql, slice: Slice) => sql`
  SELECT id, start_time, end_time FROM jobs WHERE owner_id = ${ownerId} AND ${inArchive(search)} ORDER BY ${order} LIMIT ${boundOf(slice)}`;

/** Each state gives its first rows from its own range of the index, so that rare states are found among many jobs. */
const nearByState = ({ ownerId, states, search }: JobListQuery, order: Sql, slice: Slice) => sql`
  SELECT found.* FROM unnest(${[...states]}::text[]) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT id, start_time, end_time FROM jobs
    WHERE owner_id = ${ownerId} AND jobs.state = wanted.state AND ${inArchive(search)}
    ORDER BY ${order} LIMIT ${boundOf(slice)}) found`;
