import type { ClusterSettings } from '../cluster/cluster.js';
import { findCluster } from '../cluster/find-cluster.js';
import { readSchedulerOptions, type SchedulerOptions } from './scheduler-options.js';

/** The clusters of submissions. */
export interface ClusterChoice {
  /** In configured order. */
  readonly clusters: readonly ClusterSettings[];
  /** Empty: the first. */
  readonly defaultCluster: string;
}

/** What a submission asks of a cluster. */
export interface ClusterRequest {
  /** Undefined: the default one. */
  readonly clusterName: string | undefined;
  readonly schedulerOptions: Readonly<Record<string, unknown>>;
}

/**
 * Checks what a submission asks of a cluster, without asking the cluster.
 * @throws ServiceError CLUSTER_UNKNOWN, BATCH_UNIMPLEMENTED, OPTION_INVALID with all faults
 */
export function checkSubmission(
  { clusters, defaultCluster }: ClusterChoice,
  { clusterName, schedulerOptions }: ClusterRequest,
): { readonly cluster: ClusterSettings; readonly options: SchedulerOptions } {
  const cluster = findCluster(clusters, clusterName, defaultCluster);
  return { cluster, options: readSchedulerOptions(schedulerOptions, cluster) };
}
