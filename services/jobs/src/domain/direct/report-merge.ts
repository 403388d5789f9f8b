import type { LeaseStore } from '../ports.js';
import type { RunnerId } from '../task.js';

/**
 * Heartbeat of a merge: renews its lease.
 * @returns true when the worker must stop: the merge was cancelled, replaced, has ended or is another worker's
 */
export async function reportMerge(
  ports: { readonly leases: LeaseStore; readonly leaseMs: number },
  mergeId: string,
  runnerId: RunnerId,
): Promise<boolean> {
  return !(await ports.leases.renewMerge(mergeId, runnerId, ports.leaseMs));
}
