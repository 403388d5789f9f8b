import { pause } from '@tally/launcher';
import { GatewayError } from './gateway-error.js';

export interface RetryOptions {
  readonly retryPauseMs: number;
  readonly retryPauseMsMax: number;
  /** Ends the waiting; the call gets it, too. */
  readonly signal: AbortSignal;
  /** Called for every error after which the call is repeated. */
  readonly onRetry: (err: unknown) => void;
}

/**
 * Repeats a call with doubling, jittered pauses until it succeeds. `Retry-After` of the server is respected.
 * @throws GatewayError that is permanent; when the signal aborts, the last error before it, which says why it took so long
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, retryPauseMsMax } = options;
  let before: GatewayError | undefined;
  for (let pauseMs = options.retryPauseMs; ; pauseMs = Math.min(2 * pauseMs, retryPauseMsMax)) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof GatewayError) || err.isPermanent) throw err;
      if (signal.aborted) throw before ?? err;
      before = err;
      options.onRetry(err);
      await pause(Math.max(pauseMs * (0.5 + 0.5 * Math.random()), err.retryAfterMs ?? 0), signal);
      if (signal.aborted) throw err;
    }
  }
}
