import { type Clock, type Logger, retry, ServiceError, type StatusName } from '@tally/service-kit';
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
export function isPermanent(err: unknown): boolean {
  return !(err instanceof ServiceError) || isRefusal(err);
}

/** Statuses of a service that answers, but wrongly: it may pass, or be the same for ever. */
const FAULTS: ReadonlySet<StatusName> = new Set(['INTERNAL', 'UNKNOWN']);

export interface RetryTerms {
  readonly clock: Clock;
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  readonly timeLimitMs: number;
  /** A service that answers with a fault this often is not asked again. */
  readonly faultCountMax: number;
  /** Ends the waiting; the call itself gets it too. */
  readonly signal: AbortSignal;
  /** Called for every error after which the call is repeated. */
  readonly onRetry?: (err: unknown) => void;
}

/** How a repeated call ended. `expired`: too long or too many faults; `interrupted`: the signal. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly err: unknown }
  | { readonly kind: 'expired'; readonly err: unknown }
  | { readonly kind: 'interrupted' };

/** Repeats `work` until it succeeds, fails for good (`isFinal`), runs out of time or is interrupted. Never rejects. */
export async function retryToOutcome<T>(
  work: () => Promise<T>,
  terms: RetryTerms,
  isFinal: (err: unknown) => boolean = isPermanent,
): Promise<Outcome<T>> {
  const { signal, faultCountMax } = terms;
  if (signal.aborted) return { kind: 'interrupted' };
  let faultCount = 0;
  const isPassing = (err: unknown) => {
    if (err instanceof ServiceError && FAULTS.has(err.status)) faultCount += 1;
    return !isFinal(err) && faultCount < faultCountMax;
  };
  try {
    return { kind: 'done', value: await retry(work, { ...terms, isPassing }) };
  } catch (err) {
    if (signal.aborted) return { kind: 'interrupted' };
    return { kind: isFinal(err) ? 'refused' : 'expired', err };
  }
}

/** The runner's way of repeating a call: its configured pauses, and a log line for each failure. */
export function retryTerms(
  { clock, limits, logger }: { readonly clock: Clock; readonly limits: RunnerLimits; readonly logger: Logger },
  timeLimitMs: number,
  signal: AbortSignal,
  what: string,
): RetryTerms {
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
