import type { Draft } from '../change.js';
import type { StateStore } from '../ports.js';
import type { AttemptId } from '../task.js';
import { later } from '../work.js';

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
  ports: { readonly states: StateStore; readonly leaseMs: number },
  attemptId: AttemptId,
  progress: TaskProgress,
): Promise<boolean> {
  const isOpen = await ports.states.changeTasks([{ attemptId, need: 'task' }], (draft) =>
    decideProgress(draft, attemptId, progress, ports.leaseMs),
  );
  return !isOpen;
}

/** False: the attempt is not open any more. */
export function decideProgress(
  draft: Draft,
  attemptId: AttemptId,
  { simulatedPrimaries, estimatedSeconds }: TaskProgress,
  leaseMs: number,
): boolean {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined || attempt.endedAt !== null || attempt.runnerId === null) return false;
  const task = draft.task(attempt.taskKey);
  if (task.currentAttemptId !== attemptId || task.state !== 'RUNNING') return false;
  const isKnown = estimatedSeconds !== undefined && Number.isFinite(estimatedSeconds) && estimatedSeconds >= 0;
  const said = simulatedPrimaries > task.simulatedPrimaries ? simulatedPrimaries : task.simulatedPrimaries;
  draft.putTask({
    ...task,
    simulatedPrimaries: said < task.requestedPrimaries ? said : task.requestedPrimaries,
    estimatedSeconds: isKnown ? Math.min(Math.round(estimatedSeconds), ESTIMATE_MAX_SECONDS) : null,
    lastUpdateTime: draft.now,
  });
  draft.putAttempt({ ...attempt, leaseExpiresAt: later(draft.now, leaseMs) });
  return true;
}
