import { retry } from '@tally/service-kit/retry';
import { GatewayError } from './gateway-error.js';

export interface RequestRetryTerms {
  readonly retryPauseMs: number;
  readonly retryPauseMsMax: number;
  /** Ends the waiting; the call gets it, too. */
  readonly signal: AbortSignal;
  /** Called for every error after which the call is repeated. */
  readonly onRetry: (err: unknown) => void;
}

/**
 * Repeats a request until it succeeds. `Retry-After` of the server is respected.
 * @throws GatewayError that is permanent; when the signal aborts, the last error before it, which says why it took so long
 */
export async function retryRequest<T>(work: () => Promise<T>, terms: RequestRetryTerms): Promise<T> {
  const { signal, retryPauseMs: pauseMs, retryPauseMsMax: pauseMsMax } = terms;
  const isPassing = (err: unknown) => err instanceof GatewayError && !err.isPermanent;
  const retryAfterMs = (err: unknown) => (err instanceof GatewayError ? err.retryAfterMs : undefined);
  let before: unknown;
  const onRetry = (err: unknown) => {
    before = err;
    terms.onRetry(err);
  };
  try {
    return await retry(work, { pauseMs, pauseMsMax, signal, isPassing, retryAfterMs, onRetry });
  } catch (err) {
    throw before !== undefined && signal.aborted && isPassing(err) ? before : err;
  }
}
