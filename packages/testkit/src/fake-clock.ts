import type { Clock } from '@tally/service-kit';

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Moves time on by ms and wakes the sleepers on the way, in order; lets what they do next happen in between. */
  advance(ms: number): Promise<void>;
  /** How many sleep at this moment. */
  sleeping(): number;
}

interface Sleeper {
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

/** Lets everything run that is ready to run without a timer. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A {@link FakeClock}; it starts at the given instant, else at 2026-01-01T00:00:00Z. */
export function fakeClock(start: Date = new Date('2026-01-01T00:00:00Z')): FakeClock {
  let nowMs = start.getTime();
  const sleepers = new Set<Sleeper>();
  const firstBefore = (endMs: number): Sleeper | undefined =>
    [...sleepers].filter((s) => s.wakesAtMs <= endMs).sort((a, b) => a.wakesAtMs - b.wakesAtMs)[0];
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { wakesAtMs: nowMs + ms, wake };
        signal?.addEventListener('abort', wake, { once: true });
        sleepers.add(sleeper);
      }),
    async advance(ms) {
      const endMs = nowMs + ms;
      await settle();
      for (let next = firstBefore(endMs); next; next = firstBefore(endMs)) {
        nowMs = Math.max(nowMs, next.wakesAtMs);
        next.wake();
        await settle();
      }
      nowMs = endMs;
    },
    sleeping: () => sleepers.size,
  };
}
