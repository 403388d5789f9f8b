import { type CombinedSignal, combineSignals } from './combine-signals.js';

/**
 * A signal that aborts after `ms` milliseconds, or when one of the others does, unless the work that it limits ends before. In place of
 * AbortSignal.timeout, whose timer holds the context of its request, with all that the request brought, until the time is over.
 */
export function limitTime(ms: number, ...others: readonly AbortSignal[]): CombinedSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException(`${ms} ms are over`, 'TimeoutError')), ms).unref();
  const { signal, end } = combineSignals(limit.signal, ...others);
  return {
    signal,
    end: () => {
      clearTimeout(timer);
      end();
    },
  };
}
