import { describe, expect, it } from '@jest/globals';
import { cutAt, difference, edgesOf, interpolate, normalised, toCurve, toGrid, transpose } from './page-data.js';

/** 3 × 1 × 2 bins, the value is 10 times the first index and the third. */
const page = {
  page_number: 1,
  name: 'Dose',
  data: {
    values: Float64Array.of(0, 10, 20, 1, 11, 21),
    errors: Float64Array.of(0, 1, 2, Number.NaN, 1, 2),
    dimensions: [[-1, 0, 1], [0], [5, 7]],
    axes: [
      { name: 'x', unit: 'cm' },
      { name: 'y', unit: 'cm' },
      { name: 'z', unit: '' },
    ],
    unit: 'MeV/g',
  },
};

describe('an axis', () => {
  it('has edges halfway between its centres', () => {
    expect(edgesOf({ centres: [1, 2, 4] })).toEqual([0.5, 1.5, 3, 5]);
    expect(edgesOf({ centres: [3] })).toEqual([2.5, 3.5]);
  });
});

describe('a page', () => {
  it('is a grid over the axes that have more than one bin', () => {
    expect(toGrid(page).axes.map(({ name }) => name)).toEqual(['x', 'z']);
  });

  it('is cut along either axis, the first the fastest', () => {
    const grid = toGrid(page);
    expect(cutAt(grid, 1, 1)).toMatchObject({
      values: Float64Array.of(1, 11, 21),
      errors: Float64Array.of(Number.NaN, 1, 2),
    });
    expect(cutAt(grid, 0, 2).values).toEqual(Float64Array.of(20, 21));
    expect(toCurve(cutAt(grid, 1, 1), 'line')).toMatchObject({ values: [1, 11, 21], errors: [null, 1, 2] });
    expect(transpose(grid)).toMatchObject({
      axes: [{ name: 'z' }, { name: 'x' }],
      values: Float64Array.of(0, 1, 10, 11, 20, 21),
    });
    expect(toCurve(grid, 'no line')).toBeUndefined();
    expect(toCurve(cutAt(grid, 0, 2), 'line')?.axis.name).toBe('z');
  });
});

describe('curves', () => {
  const curve = (centres: number[], values: number[]) => ({
    label: 'c',
    name: 'Dose',
    axis: { name: 'z', unit: 'cm', centres },
    values,
    errors: values.map(() => 1),
    unit: 'MeV/g',
  });

  it('are compared where both have values', () => {
    const [first, second] = [curve([0, 1, 2, 3], [0, 10, 20, 0]), curve([0.5, 2.5], [5, 25])];
    expect(interpolate(second, [0, 1, 2, 3])).toEqual([Number.NaN, 10, 20, Number.NaN]);
    expect(difference(first, second, false)).toMatchObject({ axis: { centres: [1, 2] }, values: [0, 0], errors: [] });
  });

  it('differ with the errors of independent jobs, in percent of the first one’s maximum; unknown where one is', () => {
    const first = { ...curve([0, 1, 2], [0, 10, 20]), errors: [3, 3, null] };
    const second = { ...curve([0, 1, 2], [5, 10, 25]), errors: [4, 4, 4] };
    expect(difference(first, second, true)).toMatchObject({ values: [25, 0, 25], errors: [25, 25, null] });
  });

  it('are scaled to their maximum, errors with them; a curve of nothing stays', () => {
    expect(normalised(curve([0, 1], [1, 4]))).toMatchObject({ values: [25, 100], errors: [25, 25] });
    expect(normalised(curve([0, 1], [0, 0])).values).toEqual([0, 0]);
  });
});
