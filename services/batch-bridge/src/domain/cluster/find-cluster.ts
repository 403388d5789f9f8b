import { fail } from '../errors.js';
import type { ClusterSettings } from './cluster.js';

/**
 * The cluster of a submission: the named one, or the default when none is named; never another.
 * @param defaultName - empty: the first
 * @throws ServiceError CLUSTER_UNKNOWN; BATCH_UNIMPLEMENTED when there are no clusters
 */
export function findCluster(
  clusters: readonly ClusterSettings[],
  name: string | undefined,
  defaultName: string,
): ClusterSettings {
  if (clusters.length === 0) throw fail('BATCH_UNIMPLEMENTED');
  const usual = defaultName === '' ? clusters[0]?.name : defaultName;
  const wanted = name ?? usual;
  const found = clusters.find((cluster) => cluster.name === wanted);
  if (found !== undefined) return found;
  const message = `must be one of ${clusters.map((cluster) => cluster.name).join(', ')}`;
  throw fail('CLUSTER_UNKNOWN', { fields: [{ field: '/batch_options/cluster_name', message }] });
}
