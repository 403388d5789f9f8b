import { describe, expect, it } from '@jest/globals';
import { ESTIMATE_BATCHES, kindOfEstimates, sumsOfEstimates } from './page-estimates.js';
import { createPageMerger } from './page-merger.js';

const mergeAlone = (values: number[], errors: number[] | undefined, primaries: number) => {
  const page = { values: Float64Array.from(values), errors: errors && Float64Array.from(errors) };
  const { moments } = sumsOfEstimates(page, primaries);
  const axes = [{ name: 'X', unit: 'cm', centers: values.map((_, bin) => bin) }];
  const names = { estimatorName: 'E', fileName: 'e', pageNumber: 1, pageName: 'Dose', unit: 'Gy' };
  const merger = createPageMerger({ ...names, kind: kindOfEstimates(page), scale: 1, axes });
  return { merger, part: { primaries, batches: ESTIMATE_BATCHES, moments } };
};

describe('the sums of means and their standard errors', () => {
  it('give both back when they are merged', () => {
    const { merger, part } = mergeAlone([2, 0, -7], [0.5, 0.25, 0], 100);
    merger.add(part);
    const { values, errors } = merger.finish();
    expect([...values]).toEqual([2, 0, -7]);
    expect(errors[0]).toBeCloseTo(0.5, 12);
    expect(errors[1]).toBeCloseTo(0.25, 12);
    expect(errors[2]).toBeCloseTo(0, 12);
  });

  it('without errors have that of the scatter of tasks', () => {
    const { merger, part } = mergeAlone([3], undefined, 100);
    const other = mergeAlone([5], undefined, 100).part;
    merger.add(part);
    expect(merger.finish().errors[0]).toBeNaN();
    merger.add(other);
    expect(merger.finish().values[0]).toBe(4);
    expect(merger.finish().errors[0]).toBeCloseTo(1, 12);
  });
});
