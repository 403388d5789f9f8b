import { describe, expect, it } from '@jest/globals';
import { differenceRangeOf, extentOf, joinExtents, rangeOf } from './plane-image.js';

/** Values without errors, or with those that are given. */
const plane = (values: number[], errors: number[] = []) => ({
  values: Float64Array.from(values),
  errors: Float64Array.from(errors),
});

describe('colours of a plane', () => {
  const extent = extentOf(plane([0, 1e-9, 5, 100, -2]));

  it('go from the smallest to the largest value, logarithmic ones over five decades at most', () => {
    expect(extent).toEqual({ lowest: -2, lowestPositive: 1e-9, highest: 100, peak: 3, isCertain: false });
    expect(rangeOf(extent, false)).toEqual({ kind: 'linear', low: -2, high: 100 });
    expect(rangeOf(extent, true)).toEqual({ kind: 'logarithmic', low: 1e-3, high: 100 });
  });

  it('of differences have 0 in the middle, and of nothing a range still', () => {
    expect(differenceRangeOf(plane([1, -3]))).toEqual({ kind: 'difference', low: -3, high: 3 });
    expect(differenceRangeOf(plane([0]))).toEqual({ kind: 'difference', low: -1, high: 1 });
    expect(rangeOf(extentOf(plane([0, 0])), true)).toEqual({ kind: 'linear', low: 0, high: 1 });
  });
});

describe('colours of a plane with errors', () => {
  const LET = plane([40, 50, 900, 700], [1, 2, 800, Number.NaN]);

  it('end at the largest certain value: bins of unknown or large error set no scale and are no peak', () => {
    expect(extentOf(LET)).toMatchObject({ highest: 50, peak: 1, isCertain: true });
    expect(extentOf(plane([3, 5], [2, 4]))).toMatchObject({ highest: 5, isCertain: false });
    expect(differenceRangeOf(plane([1, -3, 80], [1, 1, Number.NaN]))).toMatchObject({ low: -3, high: 3 });
  });

  it('are those of several slices, of which one without a certain value sets none', () => {
    const noise = extentOf(plane([0, 4000], [1, 3900]));
    for (const joined of [joinExtents(extentOf(LET), noise), joinExtents(noise, extentOf(LET))])
      expect(joined).toMatchObject({ highest: 50, lowest: 0, isCertain: true });
    expect(joinExtents(extentOf(LET), extentOf(plane([60], [1])))).toMatchObject({ highest: 60 });
  });
});
