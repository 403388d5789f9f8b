import { type Executables, parseExecutables } from '@tally/simulators';
import type { BatchBridge, BatchTarget } from '../batch/batch-ports.js';
import { fail } from '../errors.js';
import type { Platform } from '../job.js';
import type { FindExecutables } from './find-executables.js';

/** Where a job is to run. */
export interface JobTarget {
  readonly platform: Platform;
  /** Batch platform; undefined: the default one. */
  readonly clusterName: string | undefined;
  /** Batch platform; UTF-8 JSON text, empty: none. */
  readonly schedulerOptionsJson: Uint8Array;
}

export interface TargetPorts {
  readonly findExecutables: FindExecutables;
  /** Undefined: this deployment has no batch platform. */
  readonly cluster: { readonly bridge: BatchBridge } | undefined;
}

/**
 * What a job for this place is made for: the executables that there are, and the cluster, as batch-bridge has checked it.
 * @throws ServiceError PLATFORM_UNIMPLEMENTED; CLUSTER_UNKNOWN, BATCH_UNIMPLEMENTED and OPTION_INVALID of batch-bridge
 */
export async function resolveTarget(
  { findExecutables, cluster }: TargetPorts,
  { platform, clusterName, schedulerOptionsJson }: JobTarget,
): Promise<{ readonly executables: Executables; readonly batch: BatchTarget | undefined }> {
  if (platform === 'direct') return { executables: await findExecutables(), batch: undefined };
  if (cluster === undefined) throw fail('PLATFORM_UNIMPLEMENTED');
  const target = await cluster.bridge.checkSubmission(clusterName, schedulerOptionsJson);
  const executables = parseExecutables(target.executables);
  if (executables === undefined) throw new Error(`cluster ${target.clusterName} has no list of executables`);
  return { executables, batch: { clusterName: target.clusterName, schedulerOptionsJson } };
}
