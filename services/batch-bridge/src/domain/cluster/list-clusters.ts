import type { ClusterStore } from '../ports.js';
import type { Cluster } from './cluster.js';

/** All clusters in configured order. Reads the outcomes of the last checks, and asks no cluster. */
export function listClusters(clusterStore: Pick<ClusterStore, 'list'>): Promise<Cluster[]> {
  return clusterStore.list();
}
