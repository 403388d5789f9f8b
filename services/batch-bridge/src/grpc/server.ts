import { batchBridge } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { ClusterStore } from '../domain/ports.js';
import { listClusters } from './list-clusters.js';

/** The RPCs of batch-bridge with their callers. */
export function batchBridgeRpcs(clusters: ClusterStore): Implementation {
  return implement(batchBridge.BatchBridgeServiceService, {
    listClusters: { callers: ['gateway'], handle: () => listClusters(clusters) },
  });
}
