import type { batchBridge } from '@tally/contracts';
import { cancelBatch as cancel, type IntentPorts } from '../domain/cancel-batch.js';
import { readJobId } from '../domain/job-id.js';

/** CancelBatch. */
export async function cancelBatch(
  ports: IntentPorts,
  { jobId }: batchBridge.CancelBatchRequest,
): Promise<batchBridge.CancelBatchResponse> {
  await cancel(ports, readJobId(jobId));
  return {};
}
