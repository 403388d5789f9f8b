import { z } from 'zod';
import type { ErrandCount, MessageCount, StateCount, Statistics } from '../metrics.js';
import { type Database, Prisma, queryRow, queryRows } from './database.js';

const stateCount = z.object({ state: z.string(), count: z.bigint().transform(Number) });
const messageCount = z.object({ kind: z.string(), place: z.string(), count: z.bigint().transform(Number) });
const errandCount = z.object({ kind: z.string(), count: z.bigint().transform(Number) });
const age = z.object({ seconds: z.number().nullable() });

/** Counts for metrics, from what is small or indexed: the ledger of jobs, open attempts, the outbox. */
export function createStatistics(database: Database): Statistics {
  return {
    countJobs: (): Promise<StateCount[]> =>
      database.run((db) =>
        queryRows(
          db,
          stateCount,
          Prisma.sql`SELECT state, sum(job_count)::bigint AS count FROM job_counts GROUP BY state`,
        ),
      ),
    countOpenTasks: (): Promise<StateCount[]> =>
      database.run((db) =>
        queryRows(
          db,
          stateCount,
          Prisma.sql`
            SELECT CASE WHEN lease_expires_at IS NULL THEN 'PENDING' ELSE 'RUNNING' END AS state, count(*) AS count
            FROM attempts WHERE ended_at IS NULL GROUP BY 1`,
        ),
      ),
    countMessages: (): Promise<MessageCount[]> =>
      database.run((db) =>
        queryRows(
          db,
          messageCount,
          Prisma.sql`
            SELECT kind, CASE WHEN in_flight_until > now() THEN 'queue' ELSE 'jobs' END AS place, count(*) AS count
            FROM outbox GROUP BY 1, 2`,
        ),
      ),
    countErrands: (): Promise<ErrandCount[]> =>
      database.run((db) =>
        queryRows(
          db,
          errandCount,
          Prisma.sql`SELECT kind, count(*) AS count FROM errands WHERE try_count > 0 GROUP BY kind`,
        ),
      ),
    oldestMessageSeconds: async (): Promise<number> => {
      // ids grow with time: the job of the first row is the one that has waited longest
      const oldest = Prisma.sql`
        SELECT extract(epoch FROM now() - simulations.start_time)::float8 AS seconds
        FROM (SELECT simulation_id FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 1) first
        JOIN simulations ON simulations.id = first.simulation_id`;
      return (await database.run((db) => queryRow(db, age, oldest)))?.seconds ?? 0;
    },
  };
}
