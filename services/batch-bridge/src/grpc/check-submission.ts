import type { batchBridge } from '@tally/contracts';
import { type ClusterChoice, checkSubmission as check } from '../domain/check-submission.js';
import { toExecutables, toSchedulerOptions } from './mappers.js';

/** CheckSubmission. */
export async function checkSubmission(
  choice: ClusterChoice,
  { clusterName, schedulerOptionsJson }: batchBridge.CheckSubmissionRequest,
): Promise<batchBridge.CheckSubmissionResponse> {
  const { cluster } = check(choice, { clusterName, schedulerOptions: toSchedulerOptions(schedulerOptionsJson) });
  return { clusterName: cluster.name, executables: toExecutables(cluster) };
}
