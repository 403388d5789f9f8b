import { type Executables, parseExecutables } from '@tally/simulators';
import type { BatchBridge, BatchTarget } from '../batch/batch-ports.js';
import { fail } from '../errors.js';
import type { Platform } from '../job.js';
import type { FindExecutables } from './find-executables.js';
import type { Target } from './target.js';

/** Where a job is to run. */
export interface JobTarget {
  readonly platform: Platform;
  /** Batch platform; undefined: the default one. */
  readonly clusterName: string | undefined;
  /** Batch platform; UTF-8 JSON text, empty: none. */
  readonly schedulerOptionsJson: Uint8Array;
  /** It may be given further tasks by itself. */
  readonly target?: Target | undefined;
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
): Promise<{
  readonly executables: Executables;
  readonly batch: BatchTarget | undefined;
  /** How long a task may take on the cluster; undefined: not said, or the runners. */
  readonly wallTimeSeconds?: number | undefined;
}> {
  if (platform === 'direct') return { executables: await findExecutables(), batch: undefined };
  if (cluster === undefined) throw fail('PLATFORM_UNIMPLEMENTED');
  const target = await cluster.bridge.checkSubmission(clusterName, schedulerOptionsJson);
  const executables = parseExecutables(target.executables);
  if (executables === undefined) throw new Error(`cluster ${target.clusterName} has no list of executables`);
  const { clusterName: found, wallTimeSeconds } = target;
  return { executables, batch: { clusterName: found, schedulerOptionsJson }, wallTimeSeconds };
}
