import { describe, expect, it } from '@jest/globals';
import { effectiveHistories } from './effective-histories.js';
import { mergePage } from './page-merger.js';

const page = { estimatorName: 'E', fileName: 'e', pageNumber: 1, pageName: 'Dose', unit: 'Gy', scale: -3, axes: [] };

/** What the histories of these shares give, each a batch of its own. */
function ofHistories(shares: readonly number[]): number {
  const total = (power: number) => Float64Array.of(shares.reduce((sum, share) => sum + share ** power, 0));
  const part = { primaries: shares.length, batches: shares.length, moments: [total(1), total(2)] };
  const { values, errors } = mergePage({ ...page, kind: 'linear' }, [part]);
  return effectiveHistories(values[0] ?? 0, errors[0] ?? 0, shares.length);
}

const repeated = (count: number, share: number) => Array.from({ length: count }, () => share);

describe('the effective number of contributing histories', () => {
  it('is how many contribute, where all of them give the same', () => {
    expect(ofHistories([...repeated(37, 2.5), ...repeated(963, 0)])).toBeCloseTo(37, 9);
    expect(ofHistories([0, 0, 4, 0])).toBeCloseTo(1, 9);
    expect(ofHistories(repeated(10, 0.1))).toBe(10);
  });

  it('is (Σ s)²/Σ s² where they give different shares', () => {
    const shares = [...repeated(500, 0), ...Array.from({ length: 500 }, (_, i) => (i % 7) ** 3)];
    const [sum, squares] = [1, 2].map((power) => shares.reduce((total, share) => total + share ** power, 0));
    expect(ofHistories(shares)).toBeCloseTo((sum ?? 0) ** 2 / (squares ?? 1), 6);
  });

  it('is not known where the error is not, nor of a bin that nothing reached', () => {
    expect(effectiveHistories(1, Number.NaN, 100)).toBeNaN();
    expect(effectiveHistories(0, 0, 100)).toBeNaN();
    expect(effectiveHistories(0, 1, 100)).toBe(0);
  });
});
