import { leaseEnd } from '../attempt.js';
import type { Draft } from '../change.js';
import type { AttemptId } from '../task.js';

/** Where an attempt stands. */
export interface TaskProgress {
  readonly simulatedPrimaries: bigint;
  /** Remaining; undefined: unknown. */
  readonly estimatedSeconds: number | undefined;
}

/**
 * What is wanted of an attempt: that it goes on; that it finishes, because the job was stopped, and hands over what it has
 * simulated; or that it stops, because it was cancelled, replaced or has ended.
 */
export type Wanted = 'go-on' | 'finish' | 'stop';

/** What an int4 column holds. */
const ESTIMATE_MAX_SECONDS = 2 ** 31 - 1;

/**
 * Heartbeat of an attempt: renews its lease and stores its progress, which never goes down within an attempt and never
 * above what is requested. Returns what is wanted of the worker from now on.
 */
export function decideProgress(
  draft: Draft,
  attemptId: AttemptId,
  { simulatedPrimaries, estimatedSeconds }: TaskProgress,
  leaseMs: number,
): Wanted {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined || attempt.endedAt !== null || attempt.runnerId === null) return 'stop';
  const task = draft.task(attempt.taskKey);
  if (task.currentAttemptId !== attemptId || task.state !== 'RUNNING') return 'stop';
  const isKnown = estimatedSeconds !== undefined && Number.isFinite(estimatedSeconds) && estimatedSeconds >= 0;
  const said = simulatedPrimaries > task.simulatedPrimaries ? simulatedPrimaries : task.simulatedPrimaries;
  draft.putTask({
    ...task,
    simulatedPrimaries: said < task.requestedPrimaries ? said : task.requestedPrimaries,
    estimatedSeconds: isKnown ? Math.min(Math.round(estimatedSeconds), ESTIMATE_MAX_SECONDS) : null,
    lastUpdateTime: draft.now,
  });
  draft.putAttempt({ ...attempt, leaseExpiresAt: leaseEnd(draft.now, leaseMs) });
  return task.mustFinish ? 'finish' : 'go-on';
}
