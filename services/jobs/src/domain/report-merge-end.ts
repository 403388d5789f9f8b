import { type AttemptEnd, type AttemptLimits, decideNextStep } from './attempt.js';
import type { MergeStore, Wake } from './ports.js';
import type { RunnerId } from './task.js';

export interface EndMergePorts {
  readonly merges: MergeStore;
  readonly limits: AttemptLimits;
  readonly wake: Wake;
}

/**
 * Ends a merge: the job is COMPLETED, or FAILED when some of its tasks were; or the merge is tried again, or the job
 * fails for good.
 * @param runnerId undefined when the worker is lost
 * @returns false when it was ignored: the merge was replaced or cancelled, or is another worker's
 */
export async function reportMergeEnd(
  ports: EndMergePorts,
  mergeId: string,
  runnerId: RunnerId | undefined,
  end: AttemptEnd,
): Promise<boolean> {
  const decide = (history: Parameters<typeof decideNextStep>[1]) => decideNextStep(end, history, ports.limits);
  const isApplied = await ports.merges.endMerge(mergeId, runnerId, end, decide);
  if (isApplied) ports.wake.outbox();
  return isApplied;
}
