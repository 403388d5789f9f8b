import type { batchBridge } from '@tally/contracts';
import type { StopPorts } from '../domain/clean/cancel-batch.js';
import { deleteBatch } from '../domain/clean/delete-batch.js';
import { readJobId } from '../domain/job-id.js';

/** DeleteBatch of batch_bridge_service.proto. */
export function deleteBatchRpc(ports: StopPorts) {
  return async ({ jobId }: batchBridge.DeleteBatchRequest): Promise<batchBridge.DeleteBatchResponse> => {
    await deleteBatch(ports, readJobId(jobId));
    return {};
  };
}
