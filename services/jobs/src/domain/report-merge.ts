import type { MergeStore } from './ports.js';
import type { RunnerId } from './task.js';

/**
 * Heartbeat of a merge: renews its lease.
 * @returns true when the worker must stop: the merge was cancelled, replaced, has ended or is another worker's
 */
export async function reportMerge(
  ports: { merges: MergeStore; leaseMs: number },
  mergeId: string,
  runnerId: RunnerId,
): Promise<boolean> {
  return !(await ports.merges.reportMerge(mergeId, runnerId, ports.leaseMs));
}
