import type { batchBridge } from '@tally/contracts';
import { listClusters } from '../domain/cluster/list-clusters.js';
import type { ClusterStore } from '../domain/ports.js';
import type { ClusterChoice } from '../domain/submit/check-submission.js';
import { toProtoCluster } from './mappers.js';

/** ListClusters of batch_bridge_service.proto. */
export function listClustersRpc({
  clusterStore,
  defaultCluster,
}: Pick<ClusterChoice, 'defaultCluster'> & { readonly clusterStore: Pick<ClusterStore, 'list'> }) {
  return async (): Promise<batchBridge.ListClustersResponse> => {
    const clusters = await listClusters(clusterStore);
    const usual = defaultCluster === '' ? clusters[0]?.settings.name : defaultCluster;
    return { clusters: clusters.map((cluster) => toProtoCluster(cluster, cluster.settings.name === usual)) };
  };
}
