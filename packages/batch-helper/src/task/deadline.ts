/**
 * Aborts after `timeLimitMs`, or `terminatedTimeLimitMs` after `terminated` has aborted (from now, if it has), whichever
 * comes first.
 */
export function deadlineAfter(
  timeLimitMs: number,
  terminated: AbortSignal,
  terminatedTimeLimitMs: number,
): { readonly signal: AbortSignal; end(): void } {
  const deadline = new AbortController();
  const abort = () => deadline.abort(new Error('out of time'));
  const timers = [setTimeout(abort, timeLimitMs)];
  const shorten = () => void timers.push(setTimeout(abort, terminatedTimeLimitMs));
  if (terminated.aborted) shorten();
  else terminated.addEventListener('abort', shorten, { once: true });
  return {
    signal: deadline.signal,
    end() {
      terminated.removeEventListener('abort', shorten);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
