import { type Clock, type Logger, ServiceError, type StatusName } from '@tally/service-kit';
import type { RunnerLimits } from './ports.js';

/** Statuses that a repeat of the same call cannot mend. */
const REFUSALS: ReadonlySet<StatusName> = new Set([
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'FAILED_PRECONDITION',
  'OUT_OF_RANGE',
  'RESOURCE_EXHAUSTED',
  'UNIMPLEMENTED',
  'DATA_LOSS',
]);

/** True when the other side has answered for good; everything else (down, slow, misconfigured) may pass. */
export function isRefusal(err: unknown): err is ServiceError {
  return err instanceof ServiceError && REFUSALS.has(err.status);
}

/** True when a repeat cannot help: a refusal, or a fault that is not another service's. */
export function isLasting(err: unknown): boolean {
  return !(err instanceof ServiceError) || isRefusal(err);
}

/** Statuses of a service that answers, but wrongly: it may pass, or be the same for ever. */
const FAULTS: ReadonlySet<StatusName> = new Set(['INTERNAL', 'UNKNOWN']);

export interface RetryOptions {
  readonly clock: Clock;
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  readonly timeLimitMs: number;
  /** A service that answers with a fault this often is not asked again. */
  readonly faultCountMax: number;
  /** Ends the waiting; the call itself gets it too. */
  readonly signal: AbortSignal;
  /** Hears of every failure that will be tried again. */
  readonly onRetry?: (err: unknown) => void;
}

/** How a persistent call ended. `expired`: too long or too many faults; `interrupted`: the signal. */
export type Persisted<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly err: unknown }
  | { readonly kind: 'expired'; readonly err: unknown }
  | { readonly kind: 'interrupted' };

/**
 * Repeats `work` with doubling, jittered pauses until it succeeds, fails for good (`isFinal`), runs out of time or is
 * interrupted.
 */
export async function persist<T>(
  work: () => Promise<T>,
  options: RetryOptions,
  isFinal: (err: unknown) => boolean = isLasting,
): Promise<Persisted<T>> {
  const { clock, signal } = options;
  const deadlineMs = clock.now().getTime() + options.timeLimitMs;
  let faultCount = 0;
  for (let pauseMs = options.pauseMs; ; pauseMs = Math.min(2 * pauseMs, options.pauseMsMax)) {
    if (signal.aborted) return { kind: 'interrupted' };
    try {
      return { kind: 'done', value: await work() };
    } catch (err) {
      if (signal.aborted) return { kind: 'interrupted' };
      if (isFinal(err)) return { kind: 'refused', err };
      if (err instanceof ServiceError && FAULTS.has(err.status)) faultCount += 1;
      if (faultCount >= options.faultCountMax || clock.now().getTime() + pauseMs > deadlineMs)
        return { kind: 'expired', err };
      options.onRetry?.(err);
    }
    await clock.sleep(pauseMs * (0.5 + 0.5 * Math.random()), signal);
  }
}

/** The runner's way of repeating a call: its configured pauses, and a log line for each failure. */
export function retryOptions(
  { clock, limits, logger }: { readonly clock: Clock; readonly limits: RunnerLimits; readonly logger: Logger },
  timeLimitMs: number,
  signal: AbortSignal,
  what: string,
): RetryOptions {
  return {
    clock,
    signal,
    pauseMs: limits.retryPauseMs,
    pauseMsMax: limits.retryPauseMsMax,
    faultCountMax: limits.faultCountMax,
    timeLimitMs,
    onRetry: (err) => logger.warn({ err, what }, 'call failed, trying again'),
  };
}
