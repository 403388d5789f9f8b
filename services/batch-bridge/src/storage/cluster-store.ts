import { runIn, type Statements } from '@tally/service-kit';
import type { Availability, ClusterSettings, Unavailability } from '../domain/cluster/cluster.js';
import type { ClusterStore, LeaseStore, StoredCluster } from '../domain/ports.js';
import type { Cluster, Prisma, PrismaClient } from '../generated/prisma/client.js';
import { lockCluster, lockClusters, takeDueClusters } from './statements/clusters.js';

const toSettings = (settings: Prisma.JsonValue) => settings as unknown as ClusterSettings;

function toCluster({ settings, position, checkStartedAt, checkedAt, unavailability }: Cluster): StoredCluster {
  const availability = toAvailability(checkedAt, unavailability as Unavailability | null);
  return {
    settings: toSettings(settings),
    position: position ?? undefined,
    checkStartedAt: checkStartedAt ?? undefined,
    availability,
  };
}

function toAvailability(checkedAt: Date | null, reason: Unavailability | null): Availability {
  if (checkedAt === null) return { kind: 'unchecked' };
  return reason === null ? { kind: 'available', checkedAt } : { kind: 'unavailable', checkedAt, reason };
}

const toRow = ({ settings, position, checkStartedAt, availability }: StoredCluster) => ({
  settings: settings as unknown as Prisma.InputJsonObject,
  position: position ?? null,
  checkStartedAt: checkStartedAt ?? null,
  checkedAt: availability.kind === 'unchecked' ? null : availability.checkedAt,
  unavailability: availability.kind === 'unavailable' ? availability.reason : null,
});

/** Clusters in PostgreSQL. */
export function createClusterStore(client: PrismaClient, database: Statements): ClusterStore {
  return {
    change: (decide) =>
      client.$transaction(async (transaction) => {
        await runIn(transaction, lockClusters());
        const stored = await transaction.cluster.findMany();
        for (const cluster of decide(stored.map(toCluster))) {
          const { name } = cluster.settings;
          const row = toRow(cluster);
          await transaction.cluster.upsert({ where: { name }, create: { name, ...row }, update: row });
        }
      }),

    list: async () => {
      const rows = await client.cluster.findMany({
        where: { position: { not: null } },
        orderBy: { position: 'asc' },
      });
      return rows.map(toCluster);
    },

    takeDue: async (now, before) => {
      const rows = await database.rows(takeDueClusters(now, before));
      return rows.map(({ settings }) => toSettings(settings));
    },

    listRetired: async () => {
      const busy = await client.submission.groupBy({ by: ['clusterName'], where: { phase: { not: 'cleared' } } });
      const names = busy.map(({ clusterName }) => clusterName).filter((name) => name !== null);
      const where = { position: null, name: { in: names } };
      const rows = await client.cluster.findMany({ where, select: { settings: true } });
      return rows.map(({ settings }) => settings);
    },

    setAvailability: async (name, availability) => {
      const { checkedAt } = availability;
      const unavailability = availability.kind === 'unavailable' ? availability.reason : null;
      await client.cluster.updateMany({ where: { name }, data: { checkedAt, unavailability } });
    },
  };
}

/** Lease of a cluster; undefined: nobody has it. */
export function toLease(row: Pick<Cluster, 'leaseHolder' | 'leaseExpiresAt'> | null) {
  if (row === null || row.leaseHolder === null || row.leaseExpiresAt === null) return undefined;
  return { holder: row.leaseHolder, expiresAt: row.leaseExpiresAt };
}
/** Selects what {@link toLease} reads. */
export const LEASE_COLUMNS = { leaseHolder: true, leaseExpiresAt: true } as const;

/** Leases of clusters, beside the clusters. */
export function createLeaseStore(client: PrismaClient): LeaseStore {
  return {
    change: (name, decide) =>
      client.$transaction(async (transaction) => {
        await runIn(transaction, lockCluster(name));
        const row = await transaction.cluster.findUnique({ where: { name }, select: LEASE_COLUMNS });
        const lease = row === null ? undefined : decide(toLease(row));
        if (lease === undefined) return false;
        const data = { leaseHolder: lease.holder, leaseExpiresAt: lease.expiresAt };
        await transaction.cluster.updateMany({ where: { name }, data });
        return true;
      }),

    release: async (holder) => {
      await client.cluster.updateMany({
        where: { leaseHolder: holder },
        data: { leaseHolder: null, leaseExpiresAt: null },
      });
    },
  };
}
