import type { Cluster } from './cluster.js';
import type { ClusterStore } from './ports.js';

/** All clusters in configured order. Reads what the last checks found, and asks no cluster. */
export function listClusters(clusters: ClusterStore): Promise<Cluster[]> {
  return clusters.list();
}
