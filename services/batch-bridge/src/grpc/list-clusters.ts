import type { batchBridge } from '@tally/contracts';
import { listClusters as list } from '../domain/list-clusters.js';
import type { ClusterStore } from '../domain/ports.js';
import { toProtoCluster } from './mappers.js';

/** ListClusters. */
export async function listClusters(clusters: ClusterStore): Promise<batchBridge.ListClustersResponse> {
  return { clusters: (await list(clusters)).map(toProtoCluster) };
}
