import { z } from 'zod';
import type { Job } from '../domain/job.js';
import type { JobListQuery } from '../domain/ports.js';
import { type Database, Prisma, queryRows } from './database.js';
import { JOB_COLUMNS, jobColumns, toJob } from './job-row.js';

const listRow = z.union([
  z.object({ job_count: z.bigint(), ...jobColumns }),
  z.object({ job_count: z.bigint(), job_id: z.null() }),
]);

/**
 * ORDER BY of a listing; both lie in an index behind (owner_id, state). Ascending is descending read backwards, so that
 * jobs without an end are last in the one and first in the other.
 */
function orderOf({ order, isAscending }: JobListQuery): Prisma.Sql {
  if (order === 'start_time') return isAscending ? Prisma.sql`start_time, id` : Prisma.sql`start_time DESC, id DESC`;
  return isAscending ? Prisma.sql`end_time NULLS FIRST, id` : Prisma.sql`end_time DESC NULLS LAST, id DESC`;
}

/**
 * A page and the number of all jobs that match, of one moment. Each state gives its first rows from its own index
 * range, so that a page costs what it shows and what lies before it, not what the user has; the number is the sum over
 * the ledger job_counts.
 */
export async function listJobs(
  database: Database,
  query: JobListQuery,
): Promise<{ readonly jobs: readonly Job[]; readonly jobCount: number }> {
  const { ownerId, pageSize, pageIndex } = query;
  const states = [...query.states];
  const order = orderOf(query);
  const offset = (pageIndex - 1) * pageSize;
  const rows = await database.run((db) =>
    queryRows(
      db,
      listRow,
      Prisma.sql`
        WITH page AS (
          SELECT found.id FROM unnest(${states}::text[]) AS wanted (state)
          CROSS JOIN LATERAL (
            SELECT id, start_time, end_time FROM simulations
            WHERE owner_id = ${ownerId} AND simulations.state = wanted.state
            ORDER BY ${order} LIMIT ${offset + pageSize}) found
          ORDER BY ${order} LIMIT ${pageSize} OFFSET ${offset}
        )
        SELECT total.job_count, ${JOB_COLUMNS}
        FROM (SELECT coalesce(sum(job_count), 0)::bigint AS job_count FROM job_counts
              WHERE owner_id = ${ownerId} AND state = ANY(${states})) total
        LEFT JOIN (page JOIN simulations USING (id)) ON true
        ORDER BY ${order}`,
    ),
  );
  const jobs = rows.flatMap((row) => (row.job_id === null ? [] : [toJob(row)]));
  return { jobs, jobCount: Number(rows[0]?.job_count ?? 0n) };
}
