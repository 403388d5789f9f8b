import type { batchBridge } from '@tally/contracts';
import { listClusters } from '../domain/cluster/list-clusters.js';
import type { ClusterStore } from '../domain/ports.js';
import { toProtoCluster } from './mappers.js';

/** ListClusters of batch_bridge_service.proto. */
export function listClustersRpc(ports: { readonly clusterStore: Pick<ClusterStore, 'list'> }) {
  return async (): Promise<batchBridge.ListClustersResponse> => ({
    clusters: (await listClusters(ports.clusterStore)).map(toProtoCluster),
  });
}
