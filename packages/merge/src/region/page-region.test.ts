import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergePage } from '../page-merger.js';
import { type AxisSelection, RegionSum, regionRuns, regionSizes, selectRegion } from './page-region.js';
import { partOfSums, summableArrays } from './sum-bins.js';

/** A page's sizes with a selection of some of its axes. */
const cases = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }).chain((sizes) =>
  fc.record({
    sizes: fc.constant(sizes),
    selections: fc
      .tuple(
        ...sizes.map((size, axis) =>
          fc
            .record({
              first: fc.integer({ min: 0, max: size - 1 }),
              more: fc.integer({ min: 0, max: size }),
              take: fc.constantFrom<AxisSelection['take']>('bins', 'bin', 'sum'),
              isSelected: fc.boolean(),
            })
            .map(({ first, more, take, isSelected }) => {
              const last = take === 'bin' ? first : first + more;
              return isSelected ? [{ axis, first, last, take }] : [];
            }),
        ),
      )
      .map((selected: AxisSelection[][]) => selected.flat()),
  }),
);

/** What is wanted of a page whose bins hold their own numbers, by the plain way: bin after bin. */
function plainSums(sizes: readonly number[], selections: readonly AxisSelection[]): number[] {
  const sums = new Map<string, number>();
  const bins = sizes.reduce((product, size) => product * size, 1);
  for (let bin = 0; bin < bins; bin += 1) {
    let rest = bin;
    const at = sizes.map((size) => {
      const index = rest % size;
      rest = Math.floor(rest / size);
      return index;
    });
    const selected = at.map((index, axis) => {
      const selection = selections.find((candidate) => candidate.axis === axis);
      if (selection === undefined) return index;
      if (index < selection.first || index > selection.last) return undefined;
      return selection.take === 'bins' ? index : -1;
    });
    if (selected.includes(undefined)) continue;
    const key = selected.join();
    sums.set(key, (sums.get(key) ?? 0) + bin);
  }
  return [...sums.values()];
}

describe('a region of a page', () => {
  it('is read by its runs, and summed, as bin after bin gives it', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 7 }), ({ sizes, selections }, pieceLength) => {
        const region = selectRegion(sizes, selections);
        const read = [...regionRuns(region)].flatMap(({ from, count }) =>
          Array.from({ length: count }, (_, i) => from + i),
        );
        const sum = new RegionSum(region);
        for (let from = 0; from < read.length; from += pieceLength) {
          sum.add(Float64Array.from(read.slice(from, from + pieceLength)));
        }
        expect([...sum.sums]).toEqual(plainSums(sizes, selections));
        expect(regionSizes(region).reduce((product, size) => product * size, 1)).toBe(sum.sums.length);
      }),
    );
  });

  it('is one run where it lies in one piece', () => {
    const plane = selectRegion([200, 200, 250], [{ axis: 2, first: 40, last: 40, take: 'bin' }]);
    expect([...regionRuns(plane)]).toEqual([{ from: 40 * 200 * 200, count: 200 * 200 }]);
  });

  it('needs axes and bins that there are', () => {
    const select = (axis: number, first: number, last: number, take: AxisSelection['take']) => () =>
      selectRegion([3, 4], [{ axis, first, last, take }]);
    expect(select(2, 0, 0, 'bin')).toThrow('axis 2 does not exist: the page has axes 0 to 1');
    expect(select(1, 4, 4, 'bin')).toThrow('axis 1 has no bin 4: it has 4, from 0');
    expect(select(1, 4, 9, 'bins')).toThrow('axis 1 has no bin');
    expect(select(1, 3, 9, 'bins')).not.toThrow();
    expect(() => selectRegion([], [{ axis: 0, first: 0, last: 0, take: 'bin' }])).toThrow('no axis');
  });
});

describe('sums over bins', () => {
  const page = { estimatorName: 'E', fileName: 'e', pageNumber: 1, pageName: 'Dose', unit: 'Gy', scale: 2, axes: [] };

  it('have the error of the scatter of the tasks', () => {
    // tasks of 10, 10 and 20 histories with means 1, 2 and 3
    const parts = [
      [10, 10],
      [10, 20],
      [20, 60],
    ].map(([primaries = 0, sum = 0]) => partOfSums('linear', primaries, [Float64Array.of(sum)]));
    const { values, errors } = mergePage({ ...page, kind: 'linear' }, parts);
    const mean = 90 / 40;
    const spread = 10 * (1 - mean) ** 2 + 10 * (2 - mean) ** 2 + 20 * (3 - mean) ** 2;
    expect(values[0]).toBeCloseTo(2 * mean, 12);
    expect(errors[0]).toBeCloseTo(2 * Math.sqrt(spread / (2 * 40)), 12);
  });

  it('of a ratio are the ratio of the sums', () => {
    const parts = [1, 2, 3, 4, 5, 6].map((task) =>
      partOfSums('ratio', 10, [Float64Array.of(task + (task % 2)), Float64Array.of(task)]),
    );
    const { values, errors } = mergePage({ ...page, kind: 'ratio' }, parts);
    expect(values[0]).toBeCloseTo((2 * 24) / 21, 12);
    expect(errors[0]).toBeGreaterThan(0);
  });

  it('are refused where numbers are no sums', () => {
    expect(() => summableArrays('map')).toThrow('no sums');
    expect(() => summableArrays('list')).toThrow('no sums');
  });
});
