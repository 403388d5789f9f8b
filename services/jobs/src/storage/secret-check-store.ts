import { sql } from '@tally/service-kit';
import type { SecretCheckStore } from '../domain/worker/check-update-key.js';
import type { Database } from './database.js';

const IS_OPEN_ON_CLUSTER = sql`platform = 'batch' AND state NOT IN ('COMPLETED', 'FAILED', 'CANCELED')`;

export function createSecretCheckStore(database: Database): SecretCheckStore {
  return {
    find: async (name) => {
      const row = await database.row(
        sql<{ fingerprint: string }>`SELECT fingerprint FROM secret_checks WHERE name = ${name}`,
      );
      return row?.fingerprint;
    },
    save: async (name, fingerprint) => {
      await database.run(sql`
        INSERT INTO secret_checks (name, fingerprint) VALUES (${name}, ${fingerprint})
        ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint`);
    },
    hasJobsOnClusters: async () =>
      (await database.row(sql<{ one: number }>`SELECT 1 AS one FROM jobs WHERE ${IS_OPEN_ON_CLUSTER} LIMIT 1`)) !==
      undefined,
  };
}
