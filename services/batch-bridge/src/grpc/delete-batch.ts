import type { batchBridge } from '@tally/contracts';
import type { IntentPorts } from '../domain/cancel-batch.js';
import { deleteBatch as remove } from '../domain/delete-batch.js';
import { readJobId } from '../domain/job-id.js';

/** DeleteBatch. */
export async function deleteBatch(
  ports: IntentPorts,
  { jobId }: batchBridge.DeleteBatchRequest,
): Promise<batchBridge.DeleteBatchResponse> {
  await remove(ports, readJobId(jobId));
  return {};
}
