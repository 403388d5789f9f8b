import { sql } from '@tally/service-kit';
import type { LeaseStore } from '../domain/ports.js';
import type { AttemptId } from '../domain/task.js';
import type { Database } from './database.js';

export function createLeaseStore(database: Database): LeaseStore {
  return {
    listExpired: async (limit) => {
      const rows = await database.rows(sql<{ readonly kind: string; readonly id: string }>`
        (SELECT 'task' AS kind, id FROM attempts WHERE ended_at IS NULL AND lease_expires_at < now()
          ORDER BY lease_expires_at LIMIT ${limit})
        UNION ALL
        (SELECT 'merge', id FROM merges WHERE ended_at IS NULL AND lease_expires_at < now()
          ORDER BY lease_expires_at LIMIT ${limit})`);
      const idsOf = (wanted: string) => rows.filter(({ kind }) => kind === wanted).map(({ id }) => id);
      return { attempts: idsOf('task') as AttemptId[], merges: idsOf('merge') };
    },
    renewMerge: async (mergeId, runnerId, leaseMs) => {
      const renewed = await database.run(sql`
        UPDATE merges SET lease_expires_at = now() + ${leaseMs}::float8 * interval '1 ms'
        WHERE id = ${mergeId} AND runner_id = ${runnerId} AND ended_at IS NULL`);
      return renewed === 1;
    },
  };
}
