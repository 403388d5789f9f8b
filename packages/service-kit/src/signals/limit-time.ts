import type { CombinedSignal } from './combine-signals.js';

/**
 * A signal that aborts after `ms` milliseconds, unless the work that it limits ends before. In place of AbortSignal.timeout, whose
 * timer holds the context of its request, with all that the request brought, until the time is over.
 */
export function limitTime(ms: number): CombinedSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException(`${ms} ms are over`, 'TimeoutError')), ms).unref();
  return { signal: limit.signal, end: () => clearTimeout(timer) };
}
