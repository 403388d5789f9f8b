import type { TaskStore } from './ports.js';
import type { AttemptId } from './task.js';

/** Where an attempt stands. */
export interface TaskProgress {
  readonly simulatedPrimaries: bigint;
  /** Remaining; undefined: unknown. */
  readonly estimatedSeconds: number | undefined;
}

/** What an int4 column holds. */
const ESTIMATE_MAX_SECONDS = 2 ** 31 - 1;

/**
 * Heartbeat of an attempt: renews its lease and stores its progress, which never goes down within an attempt and never
 * above what is requested.
 * @returns true when the worker must stop: the attempt was cancelled, replaced or has ended
 */
export async function reportTask(
  ports: { tasks: TaskStore; leaseMs: number },
  attemptId: AttemptId,
  { simulatedPrimaries, estimatedSeconds }: TaskProgress,
): Promise<boolean> {
  const isKnown = estimatedSeconds !== undefined && Number.isFinite(estimatedSeconds) && estimatedSeconds >= 0;
  const progress = {
    simulatedPrimaries: simulatedPrimaries < 0n ? 0n : simulatedPrimaries,
    estimatedSeconds: isKnown ? Math.min(Math.round(estimatedSeconds), ESTIMATE_MAX_SECONDS) : null,
  };
  return !(await ports.tasks.reportTask(attemptId, progress, ports.leaseMs));
}
