import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitPrimaries } from '../split-primaries.js';
import { shareSources } from './share-sources.js';

const weights = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 6 });

describe('sources of a job over its tasks', () => {
  it('give exactly the numbers of the deck together, in every task what it has to run, and never less than none', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 50 }), (numbers, tasks) => {
        const total = numbers.reduce((sum, number) => sum + number, 0);
        fc.pre(total >= tasks);
        const shares = splitPrimaries(total, tasks).map(({ firstHistory, primaries }) => {
          const share = shareSources(numbers, { first: firstHistory, count: primaries });
          expect(share.reduce((sum, number) => sum + number, 0)).toBe(primaries);
          expect(Math.min(...share)).toBeGreaterThanOrEqual(0);
          return share;
        });
        expect(numbers.map((_, source) => shares.reduce((sum, share) => sum + (share[source] ?? 0), 0))).toEqual(
          numbers,
        );
      }),
    );
  });

  it('are what assigning one history after the other gives', () => {
    const numbers = [700, 299, 1];
    const counts = [0, 0, 0];
    for (let history = 0; history < 1000; history += 1) {
      expect(shareSources(numbers, { first: 0, count: history })).toEqual(counts);
      const one = shareSources(numbers, { first: history, count: 1 });
      for (const [source, number] of one.entries()) counts[source] = (counts[source] ?? 0) + number;
    }
    expect(counts).toEqual(numbers);
  });

  it('have nearly their proportions in every task, also in large ones', () => {
    const [a, b] = shareSources([7e11, 3e11], { first: 123_456_789, count: 1_000_001 });
    expect(Math.abs((a ?? 0) - 700_000.7)).toBeLessThan(2);
    expect((a ?? 0) + (b ?? 0)).toBe(1_000_001);
  });

  it('are shared out among thousands, of equal and of unequal weight', () => {
    const spots = Array.from({ length: 5000 }, (_, spot) => (spot % 3 === 0 ? 40 : 1 + ((spot * 7919) % 60)));
    const total = spots.reduce((sum, number) => sum + number, 0);
    const tasks = splitPrimaries(total, 4).map(({ firstHistory, primaries }) =>
      shareSources(spots, { first: firstHistory, count: primaries }),
    );
    expect(spots.map((_, spot) => tasks.reduce((sum, share) => sum + (share[spot] ?? 0), 0))).toEqual(spots);
    for (const share of tasks) {
      for (const [spot, number] of share.entries()) {
        expect(Math.abs(number - (spots[spot] ?? 0) / 4)).toBeLessThanOrEqual(2);
      }
    }
  });

  it('are nothing where the deck has no histories', () => {
    expect(shareSources([0, 0], { first: 0, count: 0 })).toEqual([0, 0]);
  });
});
