import { sql } from '@tally/service-kit';
import type { LeaseStore } from '../domain/ports.js';
import type { AttemptId } from '../domain/task.js';
import type { Database } from './database.js';

export function createLeaseStore(database: Database): LeaseStore {
  return {
    listExpiredAttempts: async (limit) => {
      const rows = await database.rows(sql<{ readonly id: AttemptId }>`
        SELECT id FROM attempts WHERE ended_at IS NULL AND lease_expires_at < now()
        ORDER BY lease_expires_at LIMIT ${limit}`);
      return rows.map(({ id }) => id);
    },
    listExpiredMerges: async (limit) => {
      const rows = await database.rows(sql<{ readonly id: string }>`
        SELECT id FROM merges WHERE ended_at IS NULL AND lease_expires_at < now()
        ORDER BY lease_expires_at LIMIT ${limit}`);
      return rows.map(({ id }) => id);
    },
    renewMerge: async (mergeId, runnerId, leaseMs) => {
      const renewed = await database.run(sql`
        UPDATE merges SET lease_expires_at = now() + ${leaseMs}::float8 * interval '1 ms'
        WHERE id = ${mergeId} AND runner_id = ${runnerId} AND ended_at IS NULL`);
      return renewed === 1;
    },
  };
}
