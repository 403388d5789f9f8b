import type { ClusterSettings } from './cluster.js';
import { findCluster } from './find-cluster.js';
import { readSchedulerOptions, type SchedulerOptions } from './scheduler-options.js';

/** The clusters of submissions. */
export interface ClusterChoice {
  /** In configured order. */
  readonly clusters: readonly ClusterSettings[];
  /** Empty: the first. */
  readonly defaultCluster: string;
}

/** What a submission asks of a cluster. */
export interface SubmissionWish {
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
  { clusterName, schedulerOptions }: SubmissionWish,
): { readonly cluster: ClusterSettings; readonly options: SchedulerOptions } {
  const cluster = findCluster(clusters, clusterName, defaultCluster);
  return { cluster, options: readSchedulerOptions(schedulerOptions, cluster) };
}
