import { type Database, sql } from '@tally/service-kit';
import type { Availability, ClusterSettings, Unavailability } from '../domain/cluster/cluster.js';
import type { ClusterStore, LeaseStore, StoredCluster } from '../domain/ports.js';

interface ClusterRow {
  readonly settings: ClusterSettings;
  readonly position: number | null;
  readonly checkStartedAt: Date | null;
  readonly checkedAt: Date | null;
  readonly unavailability: Unavailability | null;
}

function toCluster({ settings, position, checkStartedAt, checkedAt, unavailability }: ClusterRow): StoredCluster {
  const availability = toAvailability(checkedAt, unavailability);
  return { settings, position: position ?? undefined, checkStartedAt: checkStartedAt ?? undefined, availability };
}

function toAvailability(checkedAt: Date | null, reason: Unavailability | null): Availability {
  if (checkedAt === null) return { kind: 'unchecked' };
  return reason === null ? { kind: 'available', checkedAt } : { kind: 'unavailable', checkedAt, reason };
}

/** A cluster as jsonb_to_recordset reads it. */
const toJson = ({ settings, position, checkStartedAt, availability }: StoredCluster): object => ({
  name: settings.name,
  settings,
  position,
  check_started_at: checkStartedAt,
  checked_at: availability.kind === 'unchecked' ? undefined : availability.checkedAt,
  unavailability: availability.kind === 'unavailable' ? availability.reason : undefined,
});

const COLUMNS = sql`settings, position, check_started_at AS "checkStartedAt", checked_at AS "checkedAt", unavailability`;

/** Clusters in PostgreSQL. */
export function createClusterStore(database: Database): ClusterStore {
  return {
    change: (decide) =>
      database.change(
        [
          // copies that start at once take turns: the configuration of the last one counts, as a whole. Not a weaker mode: a
          // copy that runs locks a row before it changes it, and each would wait for the other
          sql`LOCK TABLE clusters IN EXCLUSIVE MODE`,
          sql<ClusterRow>`SELECT ${COLUMNS} FROM clusters`,
        ],
        (_, rows) => {
          const changed = JSON.stringify(decide(rows.map(toCluster)).map(toJson));
          const save = sql`
            INSERT INTO clusters (name, settings, position, check_started_at, checked_at, unavailability)
            SELECT name, settings, position, check_started_at, checked_at, unavailability
            FROM jsonb_to_recordset(${changed}::jsonb) AS given (name text, settings jsonb, position int,
              check_started_at timestamptz, checked_at timestamptz, unavailability text)
            ON CONFLICT (name) DO UPDATE SET settings = excluded.settings, position = excluded.position,
              check_started_at = excluded.check_started_at, checked_at = excluded.checked_at,
              unavailability = excluded.unavailability`;
          return { save: [save], result: undefined };
        },
      ),

    list: async () => {
      const rows = await database.rows(sql<ClusterRow>`
        SELECT ${COLUMNS} FROM clusters WHERE position IS NOT NULL ORDER BY position`);
      return rows.map(toCluster);
    },

    takeDue: async (now, before) => {
      const rows = await database.rows(sql<Pick<ClusterRow, 'settings'>>`
        UPDATE clusters SET check_started_at = ${now}
        WHERE position IS NOT NULL AND (check_started_at IS NULL OR check_started_at <= ${before})
        RETURNING settings`);
      return rows.map(({ settings }) => settings);
    },

    listRetired: async () => {
      const rows = await database.rows(sql<{ readonly settings: unknown }>`
        SELECT settings FROM clusters c WHERE position IS NULL AND EXISTS (
          SELECT FROM submissions s WHERE s.cluster_name = c.name AND s.phase <> 'cleared')`);
      return rows.map(({ settings }) => settings);
    },

    setAvailability: async (name, availability) => {
      const reason = availability.kind === 'unavailable' ? availability.reason : null;
      await database.run(sql`
        UPDATE clusters SET checked_at = ${availability.checkedAt}, unavailability = ${reason} WHERE name = ${name}`);
    },
  };
}

/** Leases of clusters, beside the clusters. */
export function createLeaseStore(database: Database): LeaseStore {
  return {
    change: (clusterName, decide) =>
      database.change(
        [
          sql<{ readonly holder: string | null; readonly expiresAt: Date }>`
            SELECT lease_holder AS holder, lease_expires_at AS "expiresAt" FROM clusters
            WHERE name = ${clusterName} FOR NO KEY UPDATE`,
        ],
        ([row]) => {
          if (row === undefined) return { save: [], result: false };
          const { holder, expiresAt } = row;
          const lease = decide(holder === null ? undefined : { holder, expiresAt });
          if (lease === undefined) return { save: [], result: false };
          const save = sql`
            UPDATE clusters SET lease_holder = ${lease.holder}, lease_expires_at = ${lease.expiresAt}
            WHERE name = ${clusterName}`;
          return { save: [save], result: true };
        },
      ),

    release: async (holder) => {
      await database.run(sql`
        UPDATE clusters SET lease_holder = NULL, lease_expires_at = NULL WHERE lease_holder = ${holder}`);
    },
  };
}
