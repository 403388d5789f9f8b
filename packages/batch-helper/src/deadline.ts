/**
 * Aborts after `timeLimitMs`, or `hurriedTimeLimitMs` after `hurry` has aborted (from now, if it has), whichever comes
 * first.
 */
export function deadlineAfter(
  timeLimitMs: number,
  hurry: AbortSignal,
  hurriedTimeLimitMs: number,
): { readonly signal: AbortSignal; end(): void } {
  const deadline = new AbortController();
  const abort = () => deadline.abort(new Error('out of time'));
  const timers = [setTimeout(abort, timeLimitMs)];
  const hasten = () => void timers.push(setTimeout(abort, hurriedTimeLimitMs));
  if (hurry.aborted) hasten();
  else hurry.addEventListener('abort', hasten, { once: true });
  return {
    signal: deadline.signal,
    end() {
      hurry.removeEventListener('abort', hasten);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
