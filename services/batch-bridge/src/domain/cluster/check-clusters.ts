import { type Clock, hasReason, type Logger } from '@tally/service-kit';
import type { ClusterStore, HostProbe } from '../ports.js';
import type { ClusterSettings, Unavailability } from './cluster.js';

/** What {@link checkClusters} needs. */
export interface CheckClustersPorts {
  readonly clusters: ClusterStore;
  readonly host: HostProbe;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between two checks of a cluster, by whichever copy of the service, milliseconds. */
  readonly checkIntervalMs: number;
}

async function findUnavailability(host: HostProbe, cluster: ClusterSettings): Promise<Unavailability | undefined> {
  try {
    await host.probe(cluster);
    return undefined;
  } catch (err) {
    if (hasReason(err, 'HOST_KEY_CHANGED')) return 'HOST_KEY_CHANGED';
    if (hasReason(err, 'CLUSTER_UNREACHABLE')) return 'CLUSTER_UNREACHABLE';
    throw err;
  }
}

/** Checks the clusters whose check is due and stores the outcome. Safe to run in several copies at once. */
export async function checkClusters(ports: CheckClustersPorts): Promise<void> {
  const { clusters, host, clock, logger, checkIntervalMs } = ports;
  const now = clock.now();
  const due = await clusters.takeDue(now, new Date(now.getTime() - checkIntervalMs));
  await Promise.all(
    due.map(async (cluster) => {
      const reason = await findUnavailability(host, cluster);
      const checkedAt = clock.now();
      if (reason !== undefined) logger.warn({ cluster: cluster.name, reason }, 'cluster is not available');
      await clusters.setAvailability(
        cluster.name,
        reason === undefined ? { kind: 'available', checkedAt } : { kind: 'unavailable', checkedAt, reason },
      );
    }),
  );
}
