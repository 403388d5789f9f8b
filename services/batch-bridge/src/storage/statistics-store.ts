import type { Clock } from '@tally/service-kit';
import type { ClusterStore } from '../domain/ports.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import type { Statistics } from '../metrics.js';

/** Counts for metrics, from rows that are few: those of cleared submissions are left out. */
export function createStatistics(client: PrismaClient, clusters: Pick<ClusterStore, 'list'>, clock: Clock): Statistics {
  return {
    listClusters: () => clusters.list(),

    async countSubmissions() {
      const groups = await client.submission.groupBy({
        by: ['clusterName', 'phase'],
        where: { phase: { not: 'cleared' } },
        _count: true,
      });
      return groups.map(({ clusterName, phase, _count: count }) => ({ clusterName: clusterName ?? '', phase, count }));
    },

    async pollAges() {
      const now = clock.now().getTime();
      const groups = await client.submission.groupBy({
        by: ['clusterName'],
        where: { phase: 'submitted' },
        _min: { observedAt: true },
      });
      return groups.map(({ clusterName, _min: { observedAt } }) => ({
        clusterName: clusterName ?? '',
        seconds: Math.max(0, (now - (observedAt?.getTime() ?? now)) / 1000),
      }));
    },
  };
}
