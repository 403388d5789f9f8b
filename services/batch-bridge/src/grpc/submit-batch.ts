import type { batchBridge } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { readJobId } from '../domain/job-id.js';
import { type SubmitBatchPorts, submitBatch } from '../domain/submit/submit-batch.js';
import { readSchedulerOptionsJson, toFirstTask, toJobSpec, toMs, toProtoOutcome } from './mappers.js';

/** Kept back of the call's time, so that the answer still arrives. */
const ANSWER_MS = 500;

/** SubmitBatch of batch_bridge_service.proto. */
export function submitBatchRpc(ports: SubmitBatchPorts) {
  return async (request: batchBridge.SubmitBatchRequest): Promise<batchBridge.SubmitBatchResponse> => {
    const { userId, clusterName } = request;
    const schedulerOptions = readSchedulerOptionsJson(request.schedulerOptionsJson);
    const spec = toJobSpec(request.spec);
    const firstTask = toFirstTask(request.spec);
    const { requestId, traceparent, deadline } = currentContext() ?? {};
    const origin = { requestId, traceparent };
    const jobId = readJobId(request.jobId);
    const submission = { jobId, userId, clusterName, schedulerOptions, spec, firstTask, origin };
    const untilMs = deadline?.getTime() ?? Number.POSITIVE_INFINITY;
    const waitMs = Math.min(toMs(request.wait), untilMs - Date.now() - ANSWER_MS);
    return toProtoOutcome(await submitBatch(ports, submission, waitMs));
  };
}
