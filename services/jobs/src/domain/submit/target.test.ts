import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CHUNKS_MIN,
  type Convergence,
  firstChunk,
  isReachedBy,
  nextChunk,
  predictPrimaries,
  predictSeconds,
} from './target.js';

const START = new Date('2030-01-01T00:00:00Z');
const target = { estimator: 'E', page: null, relativeError: 0.01, maxPrimaries: 1_000_000 };
const after = (primaries: number, relativeError: number | null, seconds = 10): Convergence => {
  const time = new Date(START.getTime() + seconds * 1000).toISOString();
  return { ...target, points: [{ primaries, relativeError, time }], isReached: null };
};

describe('a job with a target', () => {
  it('begins with what its project asks for, at most a tenth of the most', () => {
    expect(firstChunk(target, 5_000)).toBe(5_000);
    expect(firstChunk(target, 2_000_000)).toBe(100_000);
  });

  it('predicts by the root of the primaries', () => {
    expect(predictPrimaries(after(10_000, 0.02))).toBe(40_000);
    expect(predictSeconds(after(10_000, 0.02), START)).toBe(30);
    expect(predictPrimaries(after(10_000, null))).toBeNull();
    expect(predictSeconds(after(10_000, null), START)).toBeNull();
  });

  it('ends when it is reached, or with the most primaries', () => {
    expect([isReachedBy(after(10_000, 0.01)), nextChunk(after(10_000, 0.01))]).toEqual([true, 0]);
    expect([isReachedBy(after(1_000_000, 0.02)), nextChunk(after(1_000_000, 0.02))]).toEqual([false, 0]);
    expect(nextChunk(after(999_999, 0.02))).toBe(1);
  });

  it('goes most of a long way, and all of a short one', () => {
    expect(nextChunk(after(10_000, 0.02))).toBe(22_000);
    expect(nextChunk(after(36_000, 0.0105))).toBe(Math.ceil(1.02 * Math.ceil(36_000 * 1.05 ** 2)) - 36_000);
    expect(nextChunk(after(10_000, null))).toBe(100_000);
  });

  it('uses at most 5 % more primaries than it needs, in at least ten chunks to the most', () => {
    const cases = fc.record({
      needed: fc.integer({ min: 20_000, max: 3_000_000 }),
      first: fc.integer({ min: 1_000, max: 15_000 }),
    });
    fc.assert(
      fc.property(cases, ({ needed, first }) => {
        let total = Math.min(first, firstChunk(target, first));
        let [rounds, largest] = [0, total];
        for (;;) {
          const chunk = nextChunk(after(total, target.relativeError * Math.sqrt(needed / total)));
          if (chunk === 0) break;
          largest = Math.max(largest, chunk);
          total += chunk;
          rounds++;
        }
        expect(largest).toBeLessThanOrEqual(target.maxPrimaries / CHUNKS_MIN);
        expect(total).toBeLessThanOrEqual(Math.min(target.maxPrimaries, 1.05 * needed));
        expect(total).toBeGreaterThanOrEqual(Math.min(target.maxPrimaries, needed));
        expect(rounds).toBeLessThan(25);
      }),
    );
  });
});
