import { z } from 'zod';
import type { Errand, ErrandStore } from '../domain/batch-ports.js';
import type { JobId } from '../domain/job.js';
import { OPEN_STATES } from '../domain/job-state.js';
import { type Database, Prisma, queryRows } from './database.js';

const jobId = z.string().transform((text) => text as JobId);
const errandRow = z
  .discriminatedUnion('kind', [
    z.object({
      job_id: jobId,
      kind: z.literal('submit'),
      owner_id: z.bigint(),
      cluster_name: z.string(),
      scheduler_options: z.instanceof(Uint8Array),
    }),
    z.object({ job_id: jobId, kind: z.enum(['cancel', 'delete']) }),
  ])
  .transform((row): Errand => {
    if (row.kind !== 'submit') return { kind: row.kind, jobId: row.job_id };
    const { job_id, owner_id, cluster_name, scheduler_options } = row;
    const order = { jobId: job_id, ownerId: owner_id, clusterName: cluster_name };
    return { kind: 'submit', order: { ...order, schedulerOptionsJson: scheduler_options } };
  });

/** Pause after the first try, milliseconds; doubled after each. */
const RETRY_FIRST_MS = 1_000;

const JOB_IS_OPEN = Prisma.sql`EXISTS (
  SELECT 1 FROM simulations WHERE simulations.job_id = errands.job_id AND state = ANY(${[...OPEN_STATES]}))`;

export function createErrandStore(database: Database): ErrandStore {
  return {
    // the pauses differ by a quarter, so that what failed together is not all tried at one moment for ever
    takeDueErrands: (limit, retryMaxMs) =>
      database.run((db) =>
        queryRows(
          db,
          errandRow,
          Prisma.sql`WITH due AS (
              SELECT job_id, kind FROM errands
              WHERE next_try_at <= now() AND (kind <> 'submit' OR ${JOB_IS_OPEN})
                AND (kind <> 'delete' OR NOT EXISTS (
                  SELECT 1 FROM errands first WHERE first.job_id = errands.job_id AND first.kind = 'cancel'))
              ORDER BY next_try_at LIMIT ${limit} FOR UPDATE OF errands SKIP LOCKED
            )
            UPDATE errands
            SET try_count = try_count + 1,
                next_try_at = now() + interval '1 ms' * (0.75 + random() / 2)
                  * least(${RETRY_FIRST_MS}::float8 * power(2, least(try_count, 20)), ${retryMaxMs}::float8)
            FROM due WHERE errands.job_id = due.job_id AND errands.kind = due.kind
            RETURNING errands.job_id, errands.kind, owner_id, cluster_name, scheduler_options`,
        ),
      ),
    finishErrand: async (jobId, kind) => {
      await database.run((db) => db.$executeRaw`DELETE FROM errands WHERE job_id = ${jobId} AND kind = ${kind}`);
    },
    postponeSubmit: async (jobId, afterMs) => {
      await database.run(
        (db) => db.$executeRaw`UPDATE errands
          SET try_count = 0, next_try_at = now() + ${afterMs}::float8 * interval '1 ms'
          WHERE job_id = ${jobId} AND kind = 'submit'`,
      );
    },
    dropEndedSubmits: async () => {
      await database.run((db) => db.$executeRaw`DELETE FROM errands WHERE kind = 'submit' AND NOT ${JOB_IS_OPEN}`);
    },
  };
}
