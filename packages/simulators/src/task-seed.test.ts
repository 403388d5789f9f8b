import { describe, expect, it } from '@jest/globals';
import { deriveTaskSeed } from './task-seed.js';

const RANGE = { min: 1, max: 900_000_000 };

describe('deriveTaskSeed', () => {
  it('gives the same seed for the same job seed and first history', () => {
    const share = { seed: '18446744073709551615', firstHistory: 2500 };
    expect(deriveTaskSeed(share, RANGE)).toBe(deriveTaskSeed({ ...share }, RANGE));
  });

  it('gives no two tasks of a job the same seed, even where seeds are scarce', () => {
    const range = { min: 5, max: 1004 };
    const seeds = Array.from({ length: 1000 }, (_, task) => deriveTaskSeed({ seed: '7', firstHistory: task }, range));
    expect(new Set(seeds).size).toBe(1000);
    expect(Math.min(...seeds)).toBe(5);
    expect(Math.max(...seeds)).toBe(1004);
  });

  it('stays in the range and spreads over it', () => {
    const seeds = Array.from({ length: 2000 }, (_, job) => deriveTaskSeed({ seed: `${job}`, firstHistory: 0 }, RANGE));
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= RANGE.min && seed <= RANGE.max)).toBe(true);
    const deciles = new Set(seeds.map((seed) => Math.floor((10 * (seed - 1)) / RANGE.max)));
    expect(deciles.size).toBe(10);
    const mean = seeds.reduce((sum, seed) => sum + seed, 0) / seeds.length / RANGE.max;
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / seeds.length));
  });

  it('differs with the job seed, the first history and the stream', () => {
    const seeds = [
      deriveTaskSeed({ seed: '1', firstHistory: 0 }, RANGE),
      deriveTaskSeed({ seed: '2', firstHistory: 0 }, RANGE),
      deriveTaskSeed({ seed: '1', firstHistory: 1 }, RANGE),
      deriveTaskSeed({ seed: '1', firstHistory: RANGE.max }, RANGE),
      deriveTaskSeed({ seed: '1', firstHistory: 0 }, RANGE, 'second'),
    ];
    expect(new Set(seeds).size).toBe(5);
  });

  it('takes first histories of 2^53', () => {
    expect(Number.isInteger(deriveTaskSeed({ seed: '1', firstHistory: Number.MAX_SAFE_INTEGER }, RANGE))).toBe(true);
  });
});
