import { leaseEnd } from '../attempt.js';
import type { Draft } from '../change.js';
import type { AttemptRow } from '../snapshot.js';
import type { AttemptId } from '../task.js';

/** Where an attempt stands. */
export interface TaskProgress {
  readonly simulatedPrimaries: bigint;
  /** Remaining; undefined: unknown. */
  readonly estimatedSeconds: number | undefined;
  /** Processor time so far, milliseconds; undefined: not measured. */
  readonly cpuMs?: number | undefined;
}

/**
 * What is wanted of an attempt: that it goes on; that it finishes, because the job was stopped, and hands over what it has
 * simulated; or that it stops, because it was cancelled, replaced or has ended.
 */
export type Wanted = 'go-on' | 'finish' | 'stop';

/** What an int4 column holds. */
const ESTIMATE_MAX_SECONDS = 2 ** 31 - 1;

/** Most that is believed of one attempt: a year of 1000 processors. */
const CPU_MS_MAX = 1000 * 365 * 86_400_000;

/** The attempt with the processor time that its runner has measured, in whatever state it is: a repeat, or an older word, adds nothing. */
export function noteCpu(draft: Draft, attemptId: AttemptId, cpuMs: number | undefined): AttemptRow | undefined {
  const attempt = draft.findAttempt(attemptId);
  const measured = Math.min(Math.round(cpuMs ?? 0), CPU_MS_MAX);
  if (attempt === undefined || attempt.runnerId === null || !(measured > attempt.cpuMs)) return attempt;
  const noted = { ...attempt, cpuMs: measured };
  draft.putAttempt(noted);
  return noted;
}

/**
 * Heartbeat of an attempt: renews its lease and stores its progress, which never goes down within an attempt and never
 * above what is requested. Returns what is wanted of the worker from now on.
 */
export function decideProgress(
  draft: Draft,
  attemptId: AttemptId,
  { simulatedPrimaries, estimatedSeconds, cpuMs }: TaskProgress,
  leaseMs: number,
): Wanted {
  const attempt = noteCpu(draft, attemptId, cpuMs);
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
