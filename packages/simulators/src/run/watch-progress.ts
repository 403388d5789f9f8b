import type { ProgressMeter } from './progress-meter.js';

/**
 * Watches a simulator until `end` is called: `stalled` aborts, for the reason `no-progress`, when it has told none for so long.
 * @param limitMs - milliseconds; 0: as long as it likes
 * @param clock - `sleep` resolves after a time, or at once when the signal aborts
 */
export function watchProgress(
  meter: Pick<ProgressMeter, 'idleMs'>,
  limitMs: number,
  clock: { sleep(ms: number, signal: AbortSignal): Promise<void> },
): { readonly stalled: AbortSignal; end(): void } {
  const stalled = new AbortController();
  const ended = new AbortController();
  const watch = async () => {
    while (!ended.signal.aborted) {
      const leftMs = limitMs - meter.idleMs();
      if (leftMs <= 0) return stalled.abort('no-progress');
      await clock.sleep(leftMs, ended.signal);
    }
  };
  if (limitMs > 0) void watch();
  return { stalled: stalled.signal, end: () => ended.abort('ended') };
}
