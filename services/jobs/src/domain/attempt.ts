/**
 * What follows the end of an attempt, of a task or of a merge, and how long it may be silent: the rules, without a database.
 */

/** How an attempt ended. */
export type AttemptEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string; readonly isRetryable: boolean }
  /** The worker shuts down and hands the work back. */
  | { readonly kind: 'released' }
  /** The lease ran out. */
  | { readonly kind: 'lost' };
export type AttemptOutcome = AttemptEnd['kind'] | 'canceled';

/** What came of the attempts of one task or merge so far, the one that ends now not counted. */
export interface AttemptHistory {
  readonly failedCount: number;
  readonly lostCount: number;
  readonly releasedCount: number;
}

/** What came of these tries of one task or merge. */
export function summarizeTries(tries: readonly { readonly outcome: AttemptOutcome | null }[]): AttemptHistory {
  const count = (outcome: AttemptOutcome) => tries.filter((one) => one.outcome === outcome).length;
  return { failedCount: count('failed'), lostCount: count('lost'), releasedCount: count('released') };
}

export interface AttemptLimits {
  /** Attempts that may fail or get lost. */
  readonly attemptsMax: number;
  /** Hand-backs that are free; each one beyond counts as an attempt that failed. */
  readonly releasesMax: number;
}

/** What to do now. */
export type NextStep =
  | { readonly kind: 'complete' }
  | { readonly kind: 'retry' }
  /** `failure`: for people. */
  | { readonly kind: 'fail'; readonly failure: string };

/** Decides what follows: done, another attempt, or failure for good. */
export function decideNextStep(end: AttemptEnd, history: AttemptHistory, limits: AttemptLimits): NextStep {
  if (end.kind === 'completed') return { kind: 'complete' };
  if (end.kind === 'failed' && !end.isRetryable) return { kind: 'fail', failure: describeEnd(end) };
  const isFree = end.kind === 'released' && history.releasedCount < limits.releasesMax;
  const releasesCharged = Math.max(0, history.releasedCount - limits.releasesMax);
  const used = history.failedCount + history.lostCount + releasesCharged + (isFree ? 0 : 1);
  if (used < limits.attemptsMax) return { kind: 'retry' };
  return { kind: 'fail', failure: `${describeEnd(end)} (attempt ${used} of ${limits.attemptsMax})` };
}

function describeEnd(end: Exclude<AttemptEnd, { kind: 'completed' }>): string {
  switch (end.kind) {
    case 'failed':
      return `${end.reason}: ${end.message}`;
    case 'released':
      return 'WORKER_STOPPED: the worker handed it back too often';
    case 'lost':
      return 'WORKER_LOST: the worker was not heard of any more';
  }
}

/** Longest text about a failure that is kept, characters: it comes from simulators. */
const FAILURE_LENGTH_MAX = 1_000;

/** A failure as a worker tells it, cut to what is kept, or what came instead of a completion that does not add up. */
export function failedEnd(reason: string, message: string, isRetryable: boolean): AttemptEnd {
  const cut = (text: string) => text.replaceAll('\0', '').slice(0, FAILURE_LENGTH_MAX);
  return { kind: 'failed', reason: cut(reason) || 'UNKNOWN', message: cut(message), isRetryable };
}

/**
 * When a lease ends that is renewed now. Ends are multiples of a 32nd of its length, rounded up, so that reports which follow
 * each other soon store it once.
 */
export function leaseEnd(now: Date, leaseMs: number): Date {
  const stepMs = Math.max(1, Math.floor(leaseMs / 32));
  return new Date(Math.ceil((now.getTime() + leaseMs) / stepMs) * stepMs);
}
