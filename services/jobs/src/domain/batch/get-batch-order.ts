import { fail } from '../errors.js';
import type { JobId } from '../job.js';
import { givenUpdateKey, type UpdateKeySecrets } from '../worker/update-key.js';
import type { BatchJob, BatchStore } from './batch-ports.js';

export interface BatchOrderPorts {
  readonly batch: BatchStore;
  readonly updateKeys: UpdateKeySecrets;
}

/**
 * What batch-bridge needs to submit a job, with the key by which its tasks prove themselves.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function getBatchOrder(
  { batch, updateKeys }: BatchOrderPorts,
  jobId: JobId,
): Promise<BatchJob & { readonly updateKey: string }> {
  const job = await batch.findBatchJob(jobId);
  if (job === undefined) throw fail('JOB_NOT_FOUND');
  return { ...job, updateKey: givenUpdateKey(updateKeys, jobId) };
}
