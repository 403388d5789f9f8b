import { describe, expect, it } from '@jest/globals';
import { createPageMerger, type MergedPage, mergePage } from './page-merger.js';
import type { PagePart } from './page-part.js';
import type { PageHeader, PageKind } from './task-output.js';

/** What one history scores: one number, or numerator and denominator. */
type Draw = (random: () => number) => readonly [number, number];

function headerOf(kind: PageKind): PageHeader {
  return {
    estimatorName: 'e',
    fileName: 'e',
    pageNumber: 1,
    pageName: 'p',
    kind,
    unit: '',
    scale: 1,
    axes: [],
  };
}

/** Small deterministic generator (mulberry32), uniform in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One task of a job, its histories cut into batches of (nearly) equal size. */
function simulateTask(
  kind: 'linear' | 'ratio',
  primaries: number,
  batches: number,
  draw: Draw,
  random: () => number,
): PagePart {
  const moments = { a: 0, d: 0, aa: 0, dd: 0, ad: 0 };
  let done = 0;
  for (let batch = 1; batch <= batches; batch += 1) {
    const n = Math.floor((primaries * batch) / batches) - done;
    done += n;
    let [a, d] = [0, 0];
    for (let history = 0; history < n; history += 1) {
      const [x, y] = draw(random);
      a += x;
      d += y;
    }
    moments.a += a;
    moments.d += d;
    moments.aa += a ** 2 / n;
    moments.dd += d ** 2 / n;
    moments.ad += (a * d) / n;
  }
  const { a, d, aa, dd, ad } = moments;
  const arrays = kind === 'linear' ? [a, aa] : [a, d, aa, dd, ad];
  return { primaries, batches, moments: arrays.map((value) => Float64Array.of(value)) };
}

/** What several parts are when they are told as one. */
function combineParts(parts: readonly PagePart[]): PagePart {
  const [first] = parts;
  if (first === undefined) throw new Error('nothing to combine');
  return {
    primaries: parts.reduce((sum, part) => sum + part.primaries, 0),
    batches: parts.reduce((sum, part) => sum + part.batches, 0),
    moments: first.moments.map((array, index) =>
      array.map((_, bin) => parts.reduce((sum, part) => sum + (part.moments[index]?.[bin] ?? 0), 0)),
    ),
  };
}

function first(array: Float64Array): number {
  return array[0] ?? Number.NaN;
}

/** Dose-like: most histories score little, some a lot. */
const skewed: Draw = (random) => [random() < 0.3 ? -Math.log(1 - random()) : 0, 0];
/** LET-like: numerator and denominator of one history go together. */
const correlated: Draw = (random) => {
  const length = random();
  return [length * (1 + 4 * random() ** 3), length];
};

const TASK_SIZES = [40, 400, 100, 340, 60, 180, 220, 130, 50, 300, 80, 160];

function replicate(count: number, kind: 'linear' | 'ratio', draw: Draw, batchesPerTask: number): MergedPage[] {
  const random = createRandom(20_261_121);
  return Array.from({ length: count }, () =>
    mergePage(
      headerOf(kind),
      TASK_SIZES.map((primaries) => simulateTask(kind, primaries, batchesPerTask, draw, random)),
    ),
  );
}

function describeReplicas(pages: readonly MergedPage[], truth: number) {
  const values = pages.map((page) => first(page.values));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const meanVariance = pages.reduce((sum, page) => sum + first(page.errors) ** 2, 0) / pages.length;
  const covered = pages.filter((page) => Math.abs(first(page.values) - truth) <= first(page.errors)).length;
  return {
    mean,
    standardDeviation: Math.sqrt(variance),
    standardError: Math.sqrt(meanVariance),
    coverage: covered / pages.length,
  };
}

describe('standard errors', () => {
  it('of linear pages are what replication shows, for tasks of very unequal size', () => {
    const { mean, standardDeviation, standardError, coverage } = describeReplicas(
      replicate(400, 'linear', skewed, 5),
      0.3,
    );
    expect(Math.abs(mean - 0.3)).toBeLessThan((4 * standardDeviation) / Math.sqrt(400));
    expect(standardError / standardDeviation).toBeGreaterThan(0.9);
    expect(standardError / standardDeviation).toBeLessThan(1.1);
    expect(coverage).toBeGreaterThan(0.62);
    expect(coverage).toBeLessThan(0.74);
  });

  it('of ratio pages are what replication shows', () => {
    const { mean, standardDeviation, standardError, coverage } = describeReplicas(
      replicate(400, 'ratio', correlated, 5),
      2,
    );
    expect(Math.abs(mean - 2)).toBeLessThan((4 * standardDeviation) / Math.sqrt(400));
    expect(standardError / standardDeviation).toBeGreaterThan(0.9);
    expect(standardError / standardDeviation).toBeLessThan(1.1);
    expect(coverage).toBeGreaterThan(0.62);
    expect(coverage).toBeLessThan(0.74);
  });

  it('hold with one batch per task too', () => {
    const { standardDeviation, standardError } = describeReplicas(replicate(400, 'linear', skewed, 1), 0.3);
    expect(standardError / standardDeviation).toBeGreaterThan(0.85);
    expect(standardError / standardDeviation).toBeLessThan(1.15);
  });
});

describe('grouping of tasks', () => {
  it.each([['linear', skewed] as const, ['ratio', correlated] as const])(
    'changes no %s value or error by more than 1e-12',
    (kind, draw) => {
      const random = createRandom(7);
      const parts = TASK_SIZES.map((primaries) => simulateTask(kind, primaries, 20, draw, random));
      const apart = mergePage(headerOf(kind), parts);
      const groupings = [
        [combineParts(parts)],
        [combineParts(parts.slice(0, 5)), combineParts(parts.slice(5))],
        [...parts.slice(0, 3), combineParts(parts.slice(3, 9)), ...parts.slice(9)],
        parts.toReversed(),
      ];
      for (const grouping of groupings) {
        const together = mergePage(headerOf(kind), grouping);
        expect(Math.abs(first(together.values) / first(apart.values) - 1)).toBeLessThan(1e-12);
        expect(Math.abs(first(together.errors) / first(apart.errors) - 1)).toBeLessThan(1e-12);
      }
    },
  );

  it('in one order gives the same bits every time, also when it is looked at in between', () => {
    const random = createRandom(11);
    const parts = TASK_SIZES.map((primaries) => simulateTask('ratio', primaries, 20, correlated, random));
    const watched = createPageMerger(headerOf('ratio'));
    for (const part of parts) {
      watched.add(part);
      watched.finish();
    }
    expect(watched.finish()).toEqual(mergePage(headerOf('ratio'), parts));
  });
});

describe('numerical soundness', () => {
  it.each([1, 1e-30, 1 / 3, 6.02214076e23])('finds no spread in batches that all say %d', (value) => {
    const parts = TASK_SIZES.map((primaries) => simulateTask('linear', primaries, 20, () => [value, 0], Math.random));
    const page = mergePage(headerOf('linear'), parts);
    expect(Math.abs(first(page.values) / value - 1)).toBeLessThan(1e-12);
    expect(first(page.errors) / value).toBeLessThan(1e-12);
  });

  it('finds no spread in a ratio that is the same in every history', () => {
    const random = createRandom(3);
    const draw: Draw = () => {
      const length = random();
      return [3 * length, length];
    };
    const parts = TASK_SIZES.map((primaries) => simulateTask('ratio', primaries, 20, draw, random));
    const page = mergePage(headerOf('ratio'), parts);
    expect(first(page.values)).toBeCloseTo(3, 12);
    expect(first(page.errors)).toBeLessThan(3e-7);
  });

  it('keeps a spread of one part in a hundred thousand of the mean', () => {
    const random = createRandom(5);
    const draw: Draw = () => [1 + 1e-5 * (random() - 0.5), 0];
    const parts = TASK_SIZES.map((primaries) => simulateTask('linear', primaries, 20, draw, random));
    const expected = 1e-5 * Math.sqrt(1 / 12 / TASK_SIZES.reduce((sum, size) => sum + size, 0));
    const error = first(mergePage(headerOf('linear'), parts).errors);
    expect(error / expected).toBeGreaterThan(0.85);
    expect(error / expected).toBeLessThan(1.15);
  });

  it('takes a sum of squares that contradicts its sum as no known error, and rounding as none', () => {
    const errorOf = (sumSquares: number): number => {
      const part = { primaries: 10, batches: 2, moments: [Float64Array.of(20), Float64Array.of(sumSquares)] };
      return first(mergePage(headerOf('linear'), [part]).errors);
    };
    expect(errorOf(40 * (1 - 1e-12))).toBe(0);
    expect(errorOf(39)).toBeNaN();
  });
});
