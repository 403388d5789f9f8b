import { describe, expect, it } from '@jest/globals';
import { MergeError } from './merge-error.js';
import { createPageMerger, mergePage, requireSamePage } from './page-merger.js';
import type { PagePart } from './page-part.js';
import { MOMENTS, type PageHeader, type PageKind } from './task-output.js';

const HEADER: PageHeader = {
  estimatorName: 'depth',
  fileName: 'depth',
  pageNumber: 1,
  pageName: 'Dose',
  kind: 'linear',
  unit: 'MeV/g',
  scale: 1,
  axes: [],
};
const AXIS = { name: 'z', unit: 'cm', centers: [0.5, 1.5] };

/** A task whose batches have these sums; each of `batches` is [primaries, sum per bin…]. */
function linearPart(batches: readonly (readonly [number, ...number[]])[]): PagePart {
  const bins = (batches[0]?.length ?? 1) - 1;
  const sum = new Float64Array(bins);
  const sumSquares = new Float64Array(bins);
  for (const [primaries, ...sums] of batches) {
    for (const [bin, value] of sums.entries()) {
      sum[bin] = (sum[bin] ?? 0) + value;
      sumSquares[bin] = (sumSquares[bin] ?? 0) + value ** 2 / primaries;
    }
  }
  return { primaries: total(batches.map(([n]) => n)), batches: batches.length, moments: [sum, sumSquares] };
}

/** A one-bin task whose batches are [primaries, numerator, denominator]. */
function ratioPart(batches: readonly (readonly [number, number, number])[]): PagePart {
  const over = (term: (n: number, a: number, d: number) => number): Float64Array =>
    Float64Array.of(total(batches.map(([n, a, d]) => term(n, a, d))));
  return {
    primaries: total(batches.map(([n]) => n)),
    batches: batches.length,
    moments: [
      over((_n, a) => a),
      over((_n, _a, d) => d),
      over((n, a) => a ** 2 / n),
      over((n, _a, d) => d ** 2 / n),
      over((n, a, d) => (a * d) / n),
    ],
  };
}

function plainPart(primaries: number, ...arrays: number[][]): PagePart {
  return { primaries, batches: 1, moments: arrays.map((array) => Float64Array.from(array)) };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function reasonOf(action: () => unknown): MergeError {
  try {
    action();
  } catch (error) {
    if (error instanceof MergeError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('linear pages', () => {
  it('are the sum over primaries, with the error of batches of unequal size', () => {
    // Batch means 2, 3, 4 with 10, 20, 10 primaries: mean 3, Σn(x̄−x̂)² = 10+0+10, variance 20/(2·40).
    const page = mergePage(HEADER, [
      linearPart([[10, 20]]),
      linearPart([
        [20, 60],
        [10, 40],
      ]),
    ]);
    expect(page.values[0]).toBeCloseTo(3, 14);
    expect(page.errors[0]).toBeCloseTo(Math.sqrt(20 / (2 * 40)), 14);
    expect(page).toMatchObject({ primaries: 40, tasksMerged: 2, nonFinite: 0 });
  });

  it('of 7 of 10 tasks are the weighted mean of those 7', () => {
    const tasks = Array.from({ length: 10 }, (_, task) => ({ primaries: 100 + 37 * task, mean: 1 + Math.sin(task) }));
    const arrived = tasks.filter((_, task) => ![1, 4, 9].includes(task));
    const page = mergePage(
      HEADER,
      arrived.map(({ primaries, mean }) => linearPart([[primaries, primaries * mean]])),
    );
    const primaries = total(arrived.map((task) => task.primaries));
    expect(page.values[0]).toBeCloseTo(total(arrived.map((task) => task.primaries * task.mean)) / primaries, 13);
    expect(page).toMatchObject({ primaries, tasksMerged: 7 });
  });

  it('keep bins apart, first axis fastest', () => {
    const header = { ...HEADER, axes: [AXIS] };
    const page = mergePage(header, [linearPart([[10, 10, 0]]), linearPart([[10, 30, 0]])]);
    expect([...page.values]).toEqual([2, 0]);
    expect(page.errors[0]).toBeCloseTo(1, 14);
    expect(page.errors[1]).toBeNaN();
  });

  it('scale value and error at the end, the error without the sign', () => {
    const parts = [linearPart([[10, 10]]), linearPart([[10, 30]])];
    const page = mergePage({ ...HEADER, scale: -1e9 }, parts);
    expect(page.values[0]).toBeCloseTo(-2e9, 4);
    expect(page.errors[0]).toBeCloseTo(1e9, 4);
  });

  it('know no error from a single batch, and nothing from no history', () => {
    expect(mergePage(HEADER, [linearPart([[10, 20]])]).errors[0]).toBeNaN();
    const nothing = mergePage(HEADER, []);
    expect([nothing.values[0], nothing.primaries, nothing.tasksMerged]).toEqual([0, 0, 0]);
    expect(nothing.errors[0]).toBeNaN();
    const stopped = { primaries: 0, batches: 0, moments: [Float64Array.of(0), Float64Array.of(0)] };
    expect(mergePage(HEADER, [stopped, linearPart([[10, 20]])]).values[0]).toBe(2);
  });
});

describe('ratio pages', () => {
  const header: PageHeader = { ...HEADER, kind: 'ratio', unit: 'MeV/cm' };

  it('are numerator over denominator, not the mean of ratios, with the delta-method error', () => {
    const batches: [number, number, number][] = [
      [10, 12, 4],
      [20, 30, 6],
      [10, 18, 10],
    ];
    const page = mergePage(header, [ratioPart(batches.slice(0, 1)), ratioPart(batches.slice(1))]);
    const ratio = 60 / 20;
    expect(page.values[0]).toBeCloseTo(ratio, 14);
    const residual = total(batches.map(([n, a, d]) => n * (a / n - (ratio * d) / n) ** 2));
    expect(page.errors[0]).toBeCloseTo(Math.sqrt(residual / (2 * 40)) / (20 / 40), 13);
  });

  it('are 0 with unknown error where nothing was scored, never NaN', () => {
    const page = mergePage(header, [
      ratioPart([
        [10, 0, 0],
        [10, 0, 0],
      ]),
    ]);
    expect([page.values[0], page.nonFinite]).toEqual([0, 0]);
    expect(page.errors[0]).toBeNaN();
  });

  it('know no error in a bin that only a few batches reached: they agree with the ratio by construction', () => {
    const silent = Array.from({ length: 15 }, (): [number, number, number] => [10, 0, 0]);
    const reached = (count: number): [number, number, number][] =>
      Array.from({ length: count }, (_, index) => [10, 3 + 0.1 * (index % 2), 1]);
    expect(mergePage(header, [ratioPart([...reached(1), ...silent])]).errors[0]).toBeNaN();
    expect(mergePage(header, [ratioPart([...reached(4), ...silent])]).errors[0]).toBeNaN();
    expect(mergePage(header, [ratioPart([...reached(6), ...silent])]).errors[0]).toBeGreaterThan(0);
    expect(
      mergePage(
        header,
        reached(2).map((batch) => ratioPart([batch])),
      ).errors[0],
    ).toBeGreaterThan(0);
  });

  it('are not shifted by a task in which nothing was scored', () => {
    expect(mergePage(header, [ratioPart([[10, 12, 4]]), ratioPart([[90, 0, 0]])]).values[0]).toBeCloseTo(3, 14);
  });
});

describe('pages of other kinds', () => {
  it('average: weighs by primaries and takes each task as one batch', () => {
    const parts = [plainPart(10, [20], [40]), plainPart(30, [90], [270])].map((part) => ({ ...part, batches: 50 }));
    const page = mergePage({ ...HEADER, kind: 'average' }, parts);
    expect(page.values[0]).toBeCloseTo(110 / 40, 14);
    // Task means 2 and 3 about 2.75: (10·0.75² + 30·0.25²) / ((2−1)·40).
    expect(page.errors[0]).toBeCloseTo(Math.sqrt(7.5 / 40), 14);
  });

  it('counter: adds up, without an error', () => {
    const page = mergePage({ ...HEADER, kind: 'counter' }, [plainPart(10, [3]), plainPart(20, [4])]);
    expect([...page.values]).toEqual([7]);
    expect(page.errors[0]).toBeNaN();
  });

  it('map: keeps the first task, whatever the others say', () => {
    const page = mergePage({ ...HEADER, kind: 'map', axes: [AXIS] }, [plainPart(10, [1, 2]), plainPart(20, [9, 9])]);
    expect([...page.values]).toEqual([1, 2]);
  });
});

describe('numbers that are not finite', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    '%d of one task makes its bin 0 with unknown error, and only that bin',
    (bad) => {
      const page = mergePage({ ...HEADER, axes: [AXIS] }, [linearPart([[10, bad, 20]]), linearPart([[10, 10, 20]])]);
      expect([...page.values]).toEqual([0, 2]);
      expect(page.errors[0]).toBeNaN();
      expect([page.errors[1], page.nonFinite]).toEqual([0, 1]);
    },
  );

  it.each(Object.keys(MOMENTS) as PageKind[])('never reach the values or errors of a %s page as infinity', (kind) => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e308]) {
      for (const position of MOMENTS[kind].keys()) {
        const arrays = MOMENTS[kind].map((_, index) => [index === position ? bad : 1]);
        const page = mergePage({ ...HEADER, kind, scale: 1e10 }, [plainPart(10, ...arrays), plainPart(10, ...arrays)]);
        expect(page.values[0]).not.toBeNaN();
        expect(Math.abs(page.values[0] ?? Number.NaN)).toBeLessThan(Number.POSITIVE_INFINITY);
        expect(Math.abs(page.errors[0] ?? 0)).not.toBe(Number.POSITIVE_INFINITY);
      }
    }
  });

  it('in a denominator do not pass as a ratio of zero', () => {
    const page = mergePage({ ...HEADER, kind: 'ratio' }, [ratioPart([[10, 3, Number.POSITIVE_INFINITY]])]);
    expect([page.values[0], page.nonFinite]).toEqual([0, 1]);
  });
});

describe('parts that do not belong', () => {
  it('are refused with estimator, page and what differs', () => {
    const error = reasonOf(() => requireSamePage(HEADER, { ...HEADER, unit: 'Gy', axes: [AXIS] }));
    expect(error.reason).toBe('HEADER_MISMATCH');
    expect(error.message).toBe('page 1 of estimator "depth": tasks differ in unit, axes');
    expect(() => requireSamePage(HEADER, structuredClone(HEADER))).not.toThrow();
  });

  it.each([
    ['too few bins', { primaries: 1, batches: 1, moments: [Float64Array.of(1), Float64Array.of(1)] }],
    ['an array missing', { primaries: 1, batches: 1, moments: [new Float64Array(2)] }],
    ['negative primaries', { primaries: -1, batches: 1, moments: [new Float64Array(2), new Float64Array(2)] }],
    ['no batches', { primaries: 1, batches: 0, moments: [new Float64Array(2), new Float64Array(2)] }],
  ])('are refused when they have %s, and leave the merger as it was', (_name, part) => {
    const merger = createPageMerger({ ...HEADER, axes: [AXIS] });
    merger.add(linearPart([[10, 10, 20]]));
    expect(reasonOf(() => merger.add(part)).reason).toBe('INVALID_PART');
    expect(merger.finish()).toMatchObject({ primaries: 10, tasksMerged: 1 });
    expect([...merger.finish().values]).toEqual([1, 2]);
  });
});
