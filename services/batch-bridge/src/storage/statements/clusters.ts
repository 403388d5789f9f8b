import { type Sql, sql } from '@tally/service-kit';
import type { Cluster } from '../../generated/prisma/client.js';

/**
 * Copies that start at once take turns: the configuration of the last one counts, as a whole. Not a weaker mode: a copy that
 * runs locks a row before it changes it, and each would wait for the other.
 */
export const lockClusters = (): Sql => sql`LOCK TABLE clusters IN EXCLUSIVE MODE`;

/** Locks one cluster, whose lease is about to be read. */
export const lockCluster = (name: string): Sql => sql`SELECT 1 FROM clusters WHERE name = ${name} FOR NO KEY UPDATE`;

/** Takes the clusters that were last checked before a moment: of several copies one gets each. */
export const takeDueClusters = (now: Date, before: Date): Sql<Pick<Cluster, 'settings'>> => sql<
  Pick<Cluster, 'settings'>
>`
  UPDATE clusters SET check_started_at = ${now}
  WHERE position IS NOT NULL AND (check_started_at IS NULL OR check_started_at <= ${before})
  RETURNING settings`;
