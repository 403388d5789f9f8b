import { describe, expect, test } from '@jest/globals';
import type { Clock } from './clock.js';
import { backoffMs, retry } from './retry.js';

/** A clock on which only pauses take time. */
function pausingClock() {
  const pauses: number[] = [];
  let nowMs = 0;
  const clock: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      pauses.push(ms);
      nowMs += ms;
    },
  };
  return { clock, pauses };
}

const failing = (count: number) => {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= count) throw new Error(`failure ${calls}`);
    return calls;
  };
};
const options = { pauseMs: 100, pauseMsMax: 300, isPassing: () => true };

describe('retry', () => {
  test('doubles its pauses up to the longest, each drawn from its upper half', async () => {
    const { clock, pauses } = pausingClock();
    await expect(retry(failing(4), { ...options, clock })).resolves.toBe(5);
    for (const [i, length] of [100, 200, 300, 300].entries()) {
      expect(pauses[i]).toBeGreaterThanOrEqual(length / 2);
      expect(pauses[i]).toBeLessThanOrEqual(length);
    }
  });

  test('gives up what cannot pass, and what would be too late', async () => {
    const { clock, pauses } = pausingClock();
    await expect(retry(failing(9), { ...options, clock, isPassing: () => false })).rejects.toThrow('failure 1');
    expect(pauses).toEqual([]);
    await expect(retry(failing(99), { ...options, clock, timeLimitMs: 1_000 })).rejects.toThrow('failure');
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(1_000);
  });

  test('waits as long as the other side has asked for', async () => {
    const { clock, pauses } = pausingClock();
    await retry(failing(1), { ...options, clock, retryAfterMs: () => 5_000 });
    expect(pauses).toEqual([5_000]);
  });

  test('ends with the last failure when its signal aborts', async () => {
    const stop = new AbortController();
    const { clock } = pausingClock();
    const work = failing(9);
    await expect(retry(work, { ...options, clock, signal: stop.signal, onRetry: () => stop.abort() })).rejects.toThrow(
      'failure 1',
    );
  });
});

describe('backoffMs', () => {
  test('doubles up to the longest', () => {
    const pauses = [0, 1, 2, 3, 4, 1_000].map((attemptCount) => backoffMs(1_000, 10_000, attemptCount, () => 1));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  test('is shortened by up to half, so that many jobs do not come back at once', () => {
    expect([0, 0.5].map((random) => backoffMs(1_000, 10_000, 0, () => random))).toEqual([500, 750]);
  });
});
