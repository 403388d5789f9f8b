import type { batchBridge } from '@tally/contracts';
import { type ClusterChoice, checkSubmission } from '../domain/submit/check-submission.js';
import { readSchedulerOptionsJson, toDuration, toExecutables } from './mappers.js';

/** CheckSubmission of batch_bridge_service.proto. */
export function checkSubmissionRpc(choice: ClusterChoice) {
  return async ({
    clusterName,
    schedulerOptionsJson,
  }: batchBridge.CheckSubmissionRequest): Promise<batchBridge.CheckSubmissionResponse> => {
    const schedulerOptions = readSchedulerOptionsJson(schedulerOptionsJson);
    const { cluster, options } = checkSubmission(choice, { clusterName, schedulerOptions });
    const wallTime = toDuration(options.wallTimeSeconds);
    return { clusterName: cluster.name, executables: toExecutables(cluster), wallTime };
  };
}
