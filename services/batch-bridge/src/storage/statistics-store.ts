import { type Clock, type Database, sql } from '@tally/service-kit';
import type { ClusterStore } from '../domain/ports.js';
import type { PhaseCount, Statistics } from '../metrics.js';

/** Counts for metrics, from rows that are few: those of cleared submissions are left out. */
export function createStatistics(database: Database, clusters: Pick<ClusterStore, 'list'>, clock: Clock): Statistics {
  return {
    listClusters: () => clusters.list(),

    countSubmissions: () =>
      database.rows(sql<PhaseCount>`
        SELECT cluster_name AS "clusterName", phase, count(*)::int AS count FROM submissions
        WHERE phase <> 'cleared' GROUP BY cluster_name, phase`),

    async pollAges() {
      const now = clock.now().getTime();
      const rows = await database.rows(sql<{ readonly clusterName: string; readonly observedAt: Date }>`
        SELECT cluster_name AS "clusterName", min(observed_at) AS "observedAt" FROM submissions
        WHERE phase = 'submitted' GROUP BY cluster_name`);
      return rows.map(({ clusterName, observedAt }) => ({
        clusterName,
        seconds: Math.max(0, (now - observedAt.getTime()) / 1000),
      }));
    },
  };
}
