import { type batchBridge, type Duration, INPUT_TYPES, nameOf, SIMULATORS } from '@tally/contracts';
import { writeExecutables } from '@tally/simulators/run';
import type { Cluster, ClusterSettings, Partition } from '../domain/cluster/cluster.js';
import { fail } from '../domain/errors.js';
import type { JobSpec, SubmissionOutcome } from '../domain/submission.js';
import type { checkSubmission } from '../domain/submit/check-submission.js';
import { OPTION_NAMES, usualLimits } from '../domain/submit/scheduler-options.js';

/** All clusters as the contract shows them. @param defaultCluster - empty: the first */
export function toProtoClusters(
  clusters: readonly Cluster[],
  defaultCluster: string,
): batchBridge.ListClustersResponse {
  const usual = defaultCluster === '' ? clusters[0]?.settings.name : defaultCluster;
  return { clusters: clusters.map((cluster) => toProtoCluster(cluster, cluster.settings.name === usual)) };
}

/** What a checked submission will have, as the contract shows it. */
export function toCheckedSubmission({
  cluster,
  options,
}: ReturnType<typeof checkSubmission>): batchBridge.CheckSubmissionResponse {
  const wallTime = toDuration(options.wallTimeSeconds);
  return { clusterName: cluster.name, executables: toExecutables(cluster), wallTime };
}

/** A cluster as the contract shows it; one that was never checked is not available. */
function toProtoCluster({ settings, availability }: Cluster, isDefault: boolean): batchBridge.Cluster {
  return {
    clusterName: settings.name,
    displayName: settings.displayName,
    isAvailable: availability.kind === 'available',
    schedulerOptions: [...OPTION_NAMES],
    partitions: settings.partitions.map(toProtoPartition),
    isDefault,
  };
}

function toProtoPartition(partition: Partition): batchBridge.Partition {
  const usual = usualLimits(partition);
  return {
    name: partition.name,
    wallTimeMax: toDuration(partition.wallTimeSecondsMax),
    memoryMibMax: BigInt(partition.memoryMibMax),
    wallTimeDefault: toDuration(usual.wallTimeSeconds),
    memoryMibDefault: BigInt(usual.memoryMib),
  };
}

/** Of whole seconds. */
export const toDuration = (seconds: number): Duration => ({ seconds: BigInt(seconds), nanos: 0 });

/** More than any list of options takes. */
const OPTIONS_BYTES_MAX = 16_384;

/**
 * The scheduler_options of a submission: an object, its values of any type.
 * @throws ServiceError OPTION_INVALID
 */
export function readSchedulerOptionsJson(json: Uint8Array): Readonly<Record<string, unknown>> {
  if (json.length === 0) return {};
  const wrong = (message: string) =>
    fail('OPTION_INVALID', { fields: [{ field: '/batch_options/scheduler_options', message }] });
  if (json.length > OPTIONS_BYTES_MAX) throw wrong(`must not have more than ${OPTIONS_BYTES_MAX} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(json).toString('utf8'));
  } catch {
    throw wrong('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('must be an object');
  return value as Record<string, unknown>;
}

/** Simulators with an executable on the cluster, as the contract lists them. */
function toExecutables({ simulators }: ClusterSettings): string {
  const versions = Object.entries(simulators).map(([name, { version }]) => [name, version] as const);
  return writeExecutables(new Map(versions) as Parameters<typeof writeExecutables>[0]);
}

/** @throws Error for what the contract does not allow; jobs repeats the request */
export function toJobSpec(spec: batchBridge.JobSpec | undefined): JobSpec {
  if (spec === undefined) throw new Error('jobs sent no spec');
  const { simulator, inputType, seed, tasks } = spec;
  const simType = nameOf(SIMULATORS, simulator);
  const type = nameOf(INPUT_TYPES, inputType);
  if (simType === undefined || type === undefined || tasks.length === 0) throw new Error('jobs sent a malformed spec');
  const shares = tasks.map((task) => ({
    primaries: toCount(task.primaries),
    firstHistory: toCount(task.firstHistory),
  }));
  return { simType, inputType: type, seed, tasks: shares };
}

/** @returns 0: jobs does not say it. @throws Error for one that there is not */
export function toFirstTask(spec: batchBridge.JobSpec | undefined): number {
  const { firstTask = 0, tasks = [] } = spec ?? {};
  if (firstTask < 0 || firstTask > tasks.length) throw new Error(`jobs has no task ${firstTask}`);
  return firstTask;
}

/** @throws Error for a number that a double cannot hold */
function toCount(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${value} is not a count`);
  return number;
}

export function toMs(duration: Duration | undefined): number {
  return Number(duration?.seconds ?? 0n) * 1000 + (duration?.nanos ?? 0) / 1e6;
}

/** Outcome of a submission. One that was revoked before it was known has failed for whoever asks. */
export function toProtoOutcome(outcome: SubmissionOutcome): batchBridge.SubmitBatchResponse {
  switch (outcome.kind) {
    case 'submitted':
      return { outcome: { $case: 'submitted', value: {} } };
    case 'underway':
      return { outcome: { $case: 'underway', value: { waitingReason: outcome.waitingReason } } };
    case 'failed':
      return { outcome: { $case: 'failed', value: { reason: outcome.reason, message: outcome.message } } };
    case 'revoked': {
      const { reason, message } = fail('SUBMISSION_REVOKED');
      return { outcome: { $case: 'failed', value: { reason, message } } };
    }
  }
}
