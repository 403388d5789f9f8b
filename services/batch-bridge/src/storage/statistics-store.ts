import type { Clock } from '@tally/service-kit';
import { z } from 'zod';
import type { ClusterStore } from '../domain/ports.js';
import type { Statistics } from '../metrics.js';
import { type Database, Prisma, queryRows } from './database.js';

const phaseCount = z
  .object({ cluster_name: z.string(), phase: z.string(), count: z.bigint() })
  .transform((row) => ({ clusterName: row.cluster_name, phase: row.phase, count: Number(row.count) }));
const oldest = z.object({ cluster_name: z.string(), observed_at: z.date() });

/** Counts for metrics, from rows that are few: those of cleared submissions are left out. */
export function createStatistics(database: Database, clusters: Pick<ClusterStore, 'list'>, clock: Clock): Statistics {
  return {
    listClusters: () => clusters.list(),

    countSubmissions: () =>
      database.run((statements) =>
        queryRows(
          statements,
          phaseCount,
          Prisma.sql`
            SELECT cluster_name, phase, count(*) AS count FROM submissions
            WHERE phase <> 'cleared' GROUP BY cluster_name, phase`,
        ),
      ),

    async pollAges() {
      const sql = Prisma.sql`
        SELECT cluster_name, min(observed_at) AS observed_at FROM submissions
        WHERE phase = 'submitted' GROUP BY cluster_name`;
      const now = clock.now().getTime();
      const rows = await database.run((statements) => queryRows(statements, oldest, sql));
      return rows.map((row) => ({
        clusterName: row.cluster_name,
        seconds: Math.max(0, (now - row.observed_at.getTime()) / 1000),
      }));
    },
  };
}
