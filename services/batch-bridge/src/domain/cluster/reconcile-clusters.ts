import { isDeepStrictEqual } from 'node:util';
import type { StoredCluster } from '../ports.js';
import type { ClusterSettings } from './cluster.js';

/**
 * Makes the stored clusters those of the configuration, in its order. One that is gone from it is kept for its
 * submissions, but neither listed nor checked. What was found out about another machine behind the same name is dropped.
 */
export function reconcileClusters(
  stored: readonly StoredCluster[],
  configured: readonly ClusterSettings[],
): StoredCluster[] {
  const others = new Map(stored.map((cluster) => [cluster.settings.name, cluster]));
  const current = configured.map((settings, position): StoredCluster => {
    const known = others.get(settings.name);
    others.delete(settings.name);
    const isSame = known !== undefined && isDeepStrictEqual(known.settings, settings);
    return isSame ? { ...known, position } : { settings, position, availability: { kind: 'unchecked' } };
  });
  return [...current, ...[...others.values()].map((cluster) => ({ ...cluster, position: undefined }))];
}
