import type { ClusterSettings } from './cluster.js';
import { fail } from './errors.js';

/**
 * The cluster of a submission: the named one, or the default when none is named; never another.
 * @param defaultName - empty: the first
 * @throws ServiceError CLUSTER_UNKNOWN
 */
export function findCluster(
  clusters: readonly ClusterSettings[],
  name: string | undefined,
  defaultName: string,
): ClusterSettings {
  const usual = defaultName === '' ? clusters[0]?.name : defaultName;
  const wanted = name ?? usual;
  const found = clusters.find((cluster) => cluster.name === wanted);
  if (found !== undefined) return found;
  const names = clusters.map((cluster) => cluster.name).join(', ');
  const message = names === '' ? 'there is no cluster here' : `must be one of ${names}`;
  throw fail('CLUSTER_UNKNOWN', { fields: [{ field: '/batch_options/cluster_name', message }] });
}
