import { sql } from '@tally/service-kit';
import type { UsageStore } from '../domain/ports.js';
import type { Database } from './database.js';

/** Reads no content: PostgreSQL knows the length of one that lies outside its row. */
export function createUsageStore(db: Database): UsageStore {
  return {
    async readStoredBytes(ownerId) {
      const own = sql`SELECT job_id FROM jobs WHERE owner_id = ${ownerId}`;
      const row = await db.row(sql<{ bytes: number }>`
        SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM (
          SELECT length(content) AS bytes FROM jobs WHERE owner_id = ${ownerId}
          UNION ALL SELECT length(content) FROM task_outputs WHERE job_id IN (${own})
          UNION ALL SELECT length(content) FROM final_results WHERE job_id IN (${own})
          UNION ALL SELECT length(tail) FROM task_logs WHERE job_id IN (${own})
          UNION ALL SELECT length(content) FROM log_chunks WHERE job_id IN (${own})
          UNION ALL SELECT size_bytes FROM blobs WHERE job_id IN (${own})
        ) AS part`);
      return row?.bytes ?? 0;
    },
  };
}
