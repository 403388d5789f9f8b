import { z } from 'zod';
import type { Cluster } from '../domain/cluster.js';
import { clusterSettings } from '../domain/cluster-settings.js';
import type { ClusterStore } from '../domain/ports.js';
import { type Database, Prisma, queryRows } from './database.js';

const settingsRow = z.object({ settings: clusterSettings });
const clusterRow = settingsRow
  .extend({
    checked_at: z.date().nullable(),
    unavailability: z.enum(['HOST_KEY_CHANGED', 'CLUSTER_UNREACHABLE']).nullable(),
  })
  .transform(({ settings, checked_at: checkedAt, unavailability: reason }): Cluster => {
    if (checkedAt === null) return { settings, availability: { kind: 'unchecked' } };
    if (reason === null) return { settings, availability: { kind: 'available', checkedAt } };
    return { settings, availability: { kind: 'unavailable', checkedAt, reason } };
  });

/** Clusters in PostgreSQL. */
export function createClusterStore(database: Database): ClusterStore {
  return {
    replaceAll: (clusters) =>
      database.transact(async (transaction) => {
        // copies that start at once take turns: the last one's configuration counts, whole
        await transaction.$executeRaw`LOCK TABLE clusters IN SHARE ROW EXCLUSIVE MODE`;
        const entries = JSON.stringify(clusters);
        // another machine behind the name: what was found out about the former one says nothing about it
        await transaction.$executeRaw`
          INSERT INTO clusters AS known (name, settings, position)
          SELECT entry->>'name', entry, place FROM jsonb_array_elements(${entries}::jsonb) WITH ORDINALITY AS given (entry, place)
          ON CONFLICT (name) DO UPDATE SET
            settings = excluded.settings,
            position = excluded.position,
            check_started_at = CASE WHEN known.settings = excluded.settings THEN known.check_started_at END,
            checked_at = CASE WHEN known.settings = excluded.settings THEN known.checked_at END,
            unavailability = CASE WHEN known.settings = excluded.settings THEN known.unavailability END`;
        const names = clusters.map(({ name }) => name);
        await transaction.$executeRaw`UPDATE clusters SET position = NULL WHERE name <> ALL (${names}::text[])`;
      }),

    list: () =>
      database.run((statements) =>
        queryRows(
          statements,
          clusterRow,
          Prisma.sql`SELECT settings, checked_at, unavailability FROM clusters
                     WHERE position IS NOT NULL ORDER BY position`,
        ),
      ),

    async takeDue(now, before) {
      const sql = Prisma.sql`
        UPDATE clusters SET check_started_at = ${now}
        WHERE position IS NOT NULL AND (check_started_at IS NULL OR check_started_at <= ${before})
        RETURNING settings`;
      const rows = await database.run((statements) => queryRows(statements, settingsRow, sql));
      return rows.map(({ settings }) => settings);
    },

    async listRetired() {
      const sql = Prisma.sql`
        SELECT settings FROM clusters c WHERE position IS NULL AND EXISTS (
          SELECT FROM submissions s WHERE s.cluster_name = c.name AND s.phase <> 'cleared')`;
      const rows = await database.run((statements) => queryRows(statements, settingsRow, sql));
      return rows.map(({ settings }) => settings);
    },

    async setAvailability(name, availability) {
      const reason = availability.kind === 'unavailable' ? availability.reason : null;
      await database.run(
        (statements) => statements.$executeRaw`
          UPDATE clusters SET checked_at = ${availability.checkedAt}, unavailability = ${reason} WHERE name = ${name}`,
      );
    },
  };
}
