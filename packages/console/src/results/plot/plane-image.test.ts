import { describe, expect, it } from '@jest/globals';
import { differenceRangeOf, extentOf, rangeOf, ticks, valueAt } from './plane-image.js';

describe('colours of a plane', () => {
  const extent = extentOf(Float64Array.of(0, 1e-9, 5, 100, -2));

  it('go from the smallest to the largest value, logarithmic ones over five decades at most', () => {
    expect(extent).toEqual({ lowest: -2, lowestPositive: 1e-9, highest: 100, peak: 3 });
    expect(rangeOf(extent, false)).toEqual({ kind: 'linear', low: -2, high: 100 });
    expect(rangeOf(extent, true)).toEqual({ kind: 'logarithmic', low: 1e-3, high: 100 });
    expect(valueAt(0.5, { kind: 'logarithmic', low: 0.01, high: 100 })).toBeCloseTo(1, 12);
  });

  it('of differences have 0 in the middle, and of nothing a range still', () => {
    expect(differenceRangeOf(Float64Array.of(1, -3))).toEqual({ kind: 'difference', low: -3, high: 3 });
    expect(differenceRangeOf(Float64Array.of(0))).toEqual({ kind: 'difference', low: -1, high: 1 });
    expect(rangeOf(extentOf(Float64Array.of(0, 0)), true)).toEqual({ kind: 'linear', low: 0, high: 1 });
  });
});

describe('ticks', () => {
  it('are round numbers within the axis', () => expect(ticks(-2, 2.1, 4)).toEqual([-2, 0, 2]));
});
