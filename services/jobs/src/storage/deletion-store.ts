import { sql } from '@tally/service-kit';
import type { JobId } from '../domain/job.js';
import type { DeletionStore } from '../domain/ports.js';
import type { Database } from './database.js';

/** Pause after the first try, milliseconds; doubled after each. */
const RETRY_FIRST_MS = 1_000;

export function createDeletionStore(database: Database): DeletionStore {
  return {
    takeDueDeletions: async (limit, retryMaxMs) => {
      const rows = await database.rows(sql<{ readonly jobId: JobId }>`
        UPDATE deletions
        SET try_count = try_count + 1,
            next_try_at = now() + interval '1 ms'
              * least(${RETRY_FIRST_MS}::float8 * power(2, least(try_count, 20)), ${retryMaxMs}::float8)
        WHERE job_id IN (
          SELECT job_id FROM deletions WHERE next_try_at <= now()
          ORDER BY next_try_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING job_id AS "jobId"`);
      return rows.map(({ jobId }) => jobId);
    },
    finishDeletion: async (jobId) => {
      await database.run(sql`DELETE FROM deletions WHERE job_id = ${jobId}`);
    },
  };
}
