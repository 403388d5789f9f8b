import { type Sql, sql } from '@tally/service-kit';
import type { Job } from '../domain/job.js';
import { STATES } from '../domain/job-state.js';
import type { JobListQuery } from '../domain/ports.js';
import type { Database } from './database.js';
import { JOB_COLUMNS, type JobRow, toJob } from './job-row.js';

/**
 * A page and the number of all jobs that match. The number is the sum over the ledger job_counts. The page is read from
 * an index, from whichever end is nearer: the first and the last page of 100 000 jobs cost what those of 10 do.
 */
export async function listJobs(
  database: Database,
  query: JobListQuery,
): Promise<{ readonly jobs: readonly Job[]; readonly jobCount: number }> {
  const jobCount = await countJobs(database, query);
  const offset = (query.pageIndex - 1) * query.pageSize;
  const size = Math.min(query.pageSize, jobCount - offset);
  if (size <= 0) return { jobs: [], jobCount };
  const offsetFromEnd = jobCount - offset - size;
  if (offset <= offsetFromEnd) {
    return { jobs: await readPage(database, query, { isBackwards: false, offset, size }), jobCount };
  }
  const reversed = await readPage(database, query, { isBackwards: true, offset: offsetFromEnd, size });
  return { jobs: reversed.toReversed(), jobCount };
}

async function countJobs(database: Database, { ownerId, states }: JobListQuery): Promise<number> {
  const row = await database.row(sql<{ readonly jobCount: bigint }>`
    SELECT coalesce(sum(job_count), 0)::bigint AS "jobCount" FROM job_counts
    WHERE owner_id = ${ownerId} AND state = ANY(${[...states]})`);
  return Number(row?.jobCount ?? 0n);
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
  const order = orderOf(query, slice);
  const ids = query.states.length === STATES.length ? idsOfAll(query, order, slice) : idsByState(query, order, slice);
  const rows = await database.rows(sql<JobRow>`
    SELECT ${JOB_COLUMNS} FROM (${ids}) page JOIN simulations USING (id) ORDER BY ${order}`);
  return rows.map(toJob);
}

function idsOfAll({ ownerId }: JobListQuery, order: Sql, { offset, size }: Slice): Sql {
  return sql`SELECT id FROM simulations WHERE owner_id = ${ownerId}
    ORDER BY ${order} LIMIT ${size} OFFSET ${offset}`;
}

/** Each state gives its first rows from its own range of the index, so that rare states are found among many jobs. */
function idsByState({ ownerId, states }: JobListQuery, order: Sql, { offset, size }: Slice): Sql {
  return sql`SELECT found.id FROM unnest(${[...states]}::text[]) AS wanted (state)
    CROSS JOIN LATERAL (
      SELECT id, start_time, end_time FROM simulations
      WHERE owner_id = ${ownerId} AND simulations.state = wanted.state
      ORDER BY ${order} LIMIT ${offset + size}) found
    ORDER BY ${order} LIMIT ${size} OFFSET ${offset}`;
}
