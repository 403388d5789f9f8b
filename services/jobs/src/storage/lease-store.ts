import { sql } from '@tally/service-kit';
import type { LeaseStore } from '../domain/ports.js';
import type { AttemptId } from '../domain/task.js';
import type { Database } from './database.js';

export function createLeaseStore(database: Database): LeaseStore {
  return {
    listExpired: async (limit) => {
      const rows = await database.rows(sql<{ readonly id: AttemptId }>`
        SELECT id FROM attempts WHERE ended_at IS NULL AND lease_expires_at < now()
        ORDER BY lease_expires_at LIMIT ${limit}`);
      return rows.map(({ id }) => id);
    },
  };
}
