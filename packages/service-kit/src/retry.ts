import { type Clock, systemClock } from './clock.js';

export interface RetryOptions {
  /** Before the first repeat; doubled before each further one. */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  /** No repeat begins later than this after the first call; unlimited unless given. */
  readonly timeLimitMs?: number;
  /** Whether a repeat may help. */
  readonly isPassing: (err: unknown) => boolean;
  /** How long the server asked to wait: no repeat before that. */
  readonly retryAfterMs?: (err: unknown) => number | undefined;
  /** Ends the pauses; to end the call with it, pass it to the call, too. */
  readonly signal?: AbortSignal;
  /** Called for every error after which `work` is repeated. */
  readonly onRetry?: (err: unknown) => void;
  readonly clock?: Clock;
}

/**
 * Pause after so many failed attempts before, milliseconds: doubles each time up to the longest, and is drawn between half and
 * the whole of that, so that many who failed together do not come again together.
 */
export function backoffMs(firstMs: number, maxMs: number, attemptCount: number, random = Math.random): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** Math.min(attemptCount, 30)) * (0.5 + random() / 2));
}

/**
 * Repeats `work` with doubling pauses until it succeeds ({@link backoffMs}).
 * @throws what `work` threw last, when a repeat cannot help, would be too late, or the signal has aborted
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock = systemClock, signal } = options;
  const deadlineMs = clock.monotonicMs() + (options.timeLimitMs ?? Number.POSITIVE_INFINITY);
  for (let attemptCount = 0; ; attemptCount++) {
    try {
      return await work();
    } catch (err) {
      const waitMs = Math.max(
        backoffMs(options.pauseMs, options.pauseMsMax, attemptCount),
        options.retryAfterMs?.(err) ?? 0,
      );
      if (signal?.aborted || !options.isPassing(err) || clock.monotonicMs() + waitMs > deadlineMs) throw err;
      options.onRetry?.(err);
      await clock.sleep(waitMs, signal);
      if (signal?.aborted) throw err;
    }
  }
}
