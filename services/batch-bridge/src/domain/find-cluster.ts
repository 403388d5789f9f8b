import type { ClusterSettings } from './cluster.js';
import { fail } from './errors.js';

/**
 * The cluster of a submission: the named one, or the default when none is named; never another.
 * @throws ServiceError CLUSTER_UNKNOWN
 */
export function findCluster(
  clusters: readonly ClusterSettings[],
  name: string | undefined,
  defaultName: string,
): ClusterSettings {
  const wanted = name ?? defaultName;
  const found = clusters.find((cluster) => cluster.name === wanted);
  if (found !== undefined) return found;
  const message = `must be one of ${clusters.map((cluster) => cluster.name).join(', ')}`;
  throw fail('CLUSTER_UNKNOWN', { fields: [{ field: 'batch_options.cluster_name', message }] });
}
