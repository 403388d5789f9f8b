import type { batchBridge } from '@tally/contracts';
import type { Cluster } from '../domain/cluster.js';

/** A cluster as the contract shows it; one that was never checked is not available. */
export function toProtoCluster({ settings, availability }: Cluster): batchBridge.Cluster {
  return {
    clusterName: settings.name,
    displayName: settings.displayName,
    isAvailable: availability.kind === 'available',
  };
}
