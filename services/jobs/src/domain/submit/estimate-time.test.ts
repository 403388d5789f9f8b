import { describe, expect, it } from '@jest/globals';
import { estimateTime, type ObservedRun } from './estimate-time.js';

const run = (ratio: number, change: Partial<ObservedRun> = {}): ObservedRun => ({
  seconds: 10 * ratio,
  modelSeconds: 10,
  isSame: false,
  isAlike: false,
  ...change,
});

describe('the estimate of time', () => {
  it('is the model within a factor of about three where nothing has run', () => {
    const { expected, low, high, ...about } = estimateTime(100, []);
    expect(about).toEqual({ basis: 'model', runCount: 0 });
    expect(expected).toBe(100);
    expect([high / expected, expected / low].map((factor) => Number(factor.toFixed(9)))).toEqual([3, 3]);
  });

  it('follows what the same project took rather than others', () => {
    const runs = [run(8), run(2, { isAlike: true }), run(0.5, { isSame: true, isAlike: true })];
    expect(estimateTime(100, runs)).toMatchObject({ basis: 'same', runCount: 1 });
    expect(estimateTime(100, runs).expected).toBeCloseTo(50);
    expect(estimateTime(100, runs.slice(0, 2)).expected).toBeCloseTo(200);
    expect(estimateTime(100, runs.slice(0, 1)).expected).toBeCloseTo(800);
  });

  it('is surer the more runs there are and the more they agree', () => {
    const width = (ratios: readonly number[]) => {
      const { low, high } = estimateTime(
        1,
        ratios.map((ratio) => run(ratio, { isSame: true })),
      );
      return high / low;
    };
    expect(width([1, 1, 1, 1, 1, 1])).toBeLessThan(width([1]));
    expect(width([0.5, 1, 2, 0.5, 1, 2])).toBeGreaterThan(width([1, 1, 1, 1, 1, 1]));
    expect(width([1])).toBeLessThan(width([]));
  });

  it('looks at no run that took no time', () => {
    expect(estimateTime(1, [run(0)])).toMatchObject({ basis: 'model', runCount: 0 });
  });
});
