import { fail, invalidField } from './errors.js';
import type { MergeOrder, MergeStore } from './ports.js';
import type { RunnerId } from './task.js';

/**
 * Gives the merging of a job's results to a worker and opens its lease. The same worker asking again gets the same
 * order.
 * @throws ServiceError MERGE_NOT_CLAIMABLE, REQUEST_INVALID
 */
export async function claimMerge(
  ports: { merges: MergeStore; leaseMs: number },
  mergeId: string,
  runnerId: RunnerId,
): Promise<MergeOrder> {
  if (runnerId === '') throw invalidField('/runner_id', 'must not be empty');
  const order = await ports.merges.claimMerge(mergeId, runnerId, ports.leaseMs);
  if (order === undefined) throw fail('MERGE_NOT_CLAIMABLE');
  return order;
}
