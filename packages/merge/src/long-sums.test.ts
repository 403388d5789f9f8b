import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LongSums } from './long-sums.js';
import { mergePage } from './page-merger.js';
import type { PagePart } from './page-part.js';
import type { PageHeader } from './task-output.js';

const HEADER: PageHeader = {
  estimatorName: 'e',
  fileName: 'e',
  pageNumber: 1,
  pageName: 'p',
  kind: 'linear',
  unit: '',
  scale: 1,
  axes: [],
};
/** What a history scores: a multiple of 2⁻⁴². */
const score = fc.bigInt({ min: 0n, max: 2n ** 52n }).map((quanta) => Number(quanta) * 2 ** -42);
const QUANTA = 2n ** 42n;

/** A task of histories with these scores. */
function partOf(scores: readonly number[]): PagePart {
  const [sum, squares] = [new LongSums(1), new LongSums(1)];
  for (const value of scores) {
    sum.addAt(0, value, 0);
    squares.addAt(0, Math.floor(value * value * 2 ** 42) * 2 ** -42, 0);
  }
  const primaries = scores.length;
  const remainders = [sum.remainders, squares.remainders];
  return { primaries, batches: primaries, moments: [sum.sums, squares.sums], remainders };
}

describe('sums of multiples of one power of two', () => {
  it('are exact', () => {
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 200 }), (scores) => {
        const sum = new LongSums(1);
        for (const value of scores) sum.addAt(0, value, 0);
        const quanta = BigInt(sum.at(0) * 2 ** 42) + BigInt(sum.remainderAt(0) * 2 ** 42);
        expect(quanta).toBe(scores.reduce((total, value) => total + BigInt(value * Number(QUANTA)), 0n));
      }),
    );
  });

  it('give the same value and error, bit for bit, however histories are split into tasks and in whatever order these come', () => {
    const splits = fc.record({
      scores: fc.array(score, { minLength: 2, maxLength: 100 }),
      borders: fc.array(fc.nat(100), { maxLength: 8 }),
    });
    fc.assert(
      fc.property(splits, ({ scores, borders }) => {
        const starts = [0, ...borders.filter((border) => border < scores.length).toSorted((a, b) => a - b)];
        const parts = starts.map((start, index) => partOf(scores.slice(start, starts[index + 1])));
        const whole = mergePage(HEADER, [partOf(scores)]);
        for (const order of [parts, parts.toReversed()]) {
          const { values, errors } = mergePage(HEADER, order);
          expect([values, errors]).toEqual([whole.values, whole.errors]);
        }
      }),
    );
  });

  it('begin with a number as if it were added to nothing', () => {
    for (const remainder of [0, 2 ** -60]) {
      const [started, added] = [new LongSums(1), new LongSums(1)];
      started.startAt(0, 1, remainder);
      added.addAt(0, 1, remainder);
      expect(started).toEqual(added);
    }
  });

  it('of a number that is not finite are not finite', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const sum = new LongSums(1);
      for (const added of [1, value, 2]) sum.addAt(0, added, 0);
      expect(sum.at(0)).toBeNaN();
    }
  });
});
