import type { batchBridge } from '@tally/contracts';
import { cancelBatch, type StopPorts } from '../domain/clean/cancel-batch.js';
import { readJobId } from '../domain/job-id.js';

/** CancelBatch of batch_bridge_service.proto. */
export function cancelBatchRpc(ports: StopPorts) {
  return async ({ jobId, lastTask }: batchBridge.CancelBatchRequest): Promise<batchBridge.CancelBatchResponse> => {
    await cancelBatch(ports, readJobId(jobId), lastTask);
    return {};
  };
}
