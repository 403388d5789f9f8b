import type { ClusterLeases } from '../domain/ports.js';
import type { Database } from './database.js';

/** Leases of clusters in PostgreSQL, beside the clusters. */
export function createClusterLeases(database: Database): ClusterLeases {
  return {
    async hold(clusterName, holder, now, until) {
      const changed = await database.run(
        (statements) => statements.$executeRaw`
          UPDATE clusters SET lease_holder = ${holder}, lease_expires_at = ${until}
          WHERE name = ${clusterName}
            AND (lease_holder IS NULL OR lease_holder = ${holder} OR lease_expires_at <= ${now})`,
      );
      return changed === 1;
    },

    async release(holder) {
      await database.run(
        (statements) => statements.$executeRaw`
          UPDATE clusters SET lease_holder = NULL, lease_expires_at = NULL WHERE lease_holder = ${holder}`,
      );
    },
  };
}
