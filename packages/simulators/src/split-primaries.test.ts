import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitPrimaries } from './split-primaries.js';

describe('splitPrimaries', () => {
  it('gives the remainder to the first tasks', () => {
    expect(splitPrimaries(10, 4)).toEqual([
      { taskId: 1, primaries: 3, firstHistory: 0 },
      { taskId: 2, primaries: 3, firstHistory: 3 },
      { taskId: 3, primaries: 2, firstHistory: 6 },
      { taskId: 4, primaries: 2, firstHistory: 8 },
    ]);
  });

  it('covers every history exactly once, in shares that differ by one at most', () => {
    const cases = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.maxSafeInteger()).filter(([n, total]) => total >= n);
    fc.assert(
      fc.property(cases, ([taskCount, total]) => {
        const tasks = splitPrimaries(total, taskCount);
        let next = 0;
        for (const task of tasks) {
          expect(task.firstHistory).toBe(next);
          next += task.primaries;
        }
        expect(next).toBe(total);
        const sizes = tasks.map((task) => task.primaries);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it.each([
    [3, 4],
    [0, 0],
    [10, 0],
    [1.5, 1],
    [Number.NaN, 1],
    [10, Number.POSITIVE_INFINITY],
  ])('refuses %d primaries among %d tasks', (total, taskCount) => {
    expect(() => splitPrimaries(total, taskCount)).toThrow(RangeError);
  });
});
