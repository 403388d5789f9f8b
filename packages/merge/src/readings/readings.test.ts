import { describe, expect, it } from '@jest/globals';
import { readings as readPage } from './read-page.js';
import {
  type CurveDescription,
  differencesOf,
  formatReading,
  type Reading,
  type ReadingName,
  readCurve,
} from './readings.js';

/** Globals are slow to look up where jest runs modules. */
const { abs, cos, imul, log, max, min, PI, round, sqrt } = Math;

/** Mulberry32: random numbers below 1 from a 32-bit seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Field {
  /** Ranges of the spots, cm, with their weights. */
  readonly spots: readonly (readonly [number, number])[];
  readonly straggling: number;
  readonly primaries: number;
  readonly binWidth: number;
}

/** Energy by residual range, of Bragg and Kleeman. */
const TABLE_PER_CM = 2000;
const ENERGIES = Float64Array.from({ length: 25 * TABLE_PER_CM }, (_, i) => (i / TABLE_PER_CM / 0.0022) ** (1 / 1.77));

const BATCHES = 8;
const DEPTH_CM = 20;

/** A depth dose of made-up protons: range–energy by Bragg and Kleeman, straggling, a nuclear loss of 1.1 % a centimetre. */
function simulate({ spots, straggling, primaries, binWidth }: Field, seed: number) {
  const random = randomOf(seed);
  const gauss = () => sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
  const energyOf = (residual: number) => ENERGIES[max(0, round(residual * TABLE_PER_CM))] ?? 0;
  const count = round(DEPTH_CM / binWidth);
  const [sums, squares] = [new Float64Array(count), new Float64Array(count)];
  const batches = Array.from({ length: BATCHES }, () => new Float64Array(count));
  const total = spots.reduce((sum, [, weight]) => sum + weight, 0);
  for (let history = 0; history < primaries; history += 1) {
    let pick = random() * total;
    const [range] = spots.find(([, weight]) => (pick -= weight) <= 0) ?? spots[0] ?? [0];
    const end = range + gauss() * straggling;
    const loss = -log(1 - random()) / 0.011;
    const stop = min(loss, end);
    const batch = batches[history % BATCHES] ?? new Float64Array(0);
    let before = energyOf(end);
    for (let bin = 0; bin < count && bin * binWidth < stop; bin += 1) {
      const after = energyOf(end - min(stop, (bin + 1) * binWidth));
      const isLost = loss < end && (bin + 1) * binWidth >= stop;
      const deposit = (before - after) * (0.75 + 0.5 * random()) + (isLost ? 0.3 * after : 0);
      before = after;
      sums[bin] = (sums[bin] ?? 0) + deposit;
      squares[bin] = (squares[bin] ?? 0) + deposit * deposit;
      batch[bin] = (batch[bin] ?? 0) + deposit;
    }
  }
  const values = sums.map((sum) => sum / primaries);
  return {
    centers: Float64Array.from({ length: count }, (_, bin) => (bin + 0.5) * binWidth),
    values,
    errors: squares.map((square, bin) => sqrt((square / primaries - (values[bin] ?? 0) ** 2) / (primaries - 1))),
    batches: batches.map((sum) => ({ share: 1 / BATCHES, values: sum.map((one) => (one * BATCHES) / primaries) })),
  };
}

const PROTONS: CurveDescription = { kind: 'depth', particle: 'ion', unit: 'cm' };
const PEAK: Field = { spots: [[15.8, 1]], straggling: 0.2, primaries: 2000, binWidth: 0.05 };
const SPREAD_OUT: Field = {
  ...PEAK,
  spots: [15.2, 14.6, 14, 13.4, 12.8, 12.2, 11.6, 11, 10.4].map((range, i) => [range, i === 0 ? 1 : 0.5 / (i + 0.3)]),
};

const valueOf = (readings: readonly Reading[], name: ReadingName) => readings.find((one) => one.name === name);

const REPETITIONS = 60;
const COVERAGE_MARGIN = 3 * sqrt((0.67 * 0.33) / REPETITIONS);

/** Mean deviation and scatter of a reading over many seeds, and the share of them whose error holds the truth. */
function judge(field: Field, name: ReadingName, repetitions: number, hasBatches: boolean) {
  const truth = valueOf(readCurve(simulate({ ...field, primaries: 100_000 }, 1), PROTONS), name)?.value ?? Number.NaN;
  const found = Array.from({ length: repetitions }, (_, i) => {
    const { batches, ...curve } = simulate(field, 1000 + i);
    const reading = valueOf(readCurve(hasBatches ? { ...curve, batches } : curve, PROTONS), name);
    return { off: (reading?.value ?? Number.NaN) - truth, error: reading?.error ?? 0 };
  });
  const bias = found.reduce((sum, { off }) => sum + off, 0) / repetitions;
  const scatter = sqrt(found.reduce((sum, { off }) => sum + (off - bias) ** 2, 0) / (repetitions - 1));
  return { bias, scatter, coverage: found.filter(({ off, error }) => abs(off) < error).length / repetitions };
}

describe('readings of a depth dose of protons', () => {
  it.each([
    ['a peak of 500 primaries', { ...PEAK, primaries: 500 }],
    ['a peak of 2000 primaries', PEAK],
    ['a peak in bins of a millimetre', { ...PEAK, binWidth: 0.1 }],
    ['a spread-out peak of 2000 primaries', SPREAD_OUT],
  ])(
    '%s: the bias of R80 is below a third of its scatter, its error holds the truth in two of three cases',
    (_, field) => {
      const { bias, scatter, coverage } = judge(field, 'R80', REPETITIONS, true);
      expect(Math.abs(bias)).toBeLessThan(scatter * (1 / 3 + 2 / Math.sqrt(REPETITIONS)));
      expect(coverage).toBeGreaterThan(0.67 - COVERAGE_MARGIN); // three standard deviations of so many cases
      expect(coverage).toBeLessThan(0.67 + COVERAGE_MARGIN);
    },
  );

  it.each([0.3, 0.1])('keeps the height of a peak of half width %f cm, from which its levels are read', (half) => {
    const centers = Float64Array.from({ length: 400 }, (_, bin) => 0.025 + bin * 0.05);
    const found = readCurve({ centers, values: centers.map((z) => 1 / (1 + ((z - 15) / half) ** 2)) }, PROTONS);
    for (const [name, level] of [
      ['R80', 0.8],
      ['R50', 0.5],
    ] as const)
      expect(abs((valueOf(found, name)?.value ?? 0) - 15 - half * sqrt(1 / level - 1))).toBeLessThan(0.015);
    expect(valueOf(found, 'peak')?.value).toBeCloseTo(15, 2);
  });

  it('widens the error of few batches as Student’s t does', () => {
    const { batches, ...curve } = simulate(PEAK, 7);
    const pairs = [0, 2, 4, 6].map((at) => ({
      share: 2 / BATCHES,
      values: (batches[at]?.values ?? curve.values).map((one, bin) => (one + (batches[at + 1]?.values[bin] ?? 0)) / 2),
    }));
    const read = (all: typeof pairs) => valueOf(readCurve({ ...curve, batches: all }, PROTONS), 'R80')?.error ?? 0;
    // the pairs twice over scatter as they do once, but are taken for twice as many
    const twice = [...pairs, ...pairs].map((batch) => ({ ...batch, share: batch.share / 2 }));
    expect(read(pairs) / read(twice)).toBeCloseTo((1.194 / 1.077) * sqrt(7 / 3), 1);
  });

  it('gives an upper estimate of the error without batches', () => {
    expect(judge(PEAK, 'R80', 60, false).coverage).toBeGreaterThan(0.6);
  });

  it('reads depths from the first matter, and says the coordinate', () => {
    const { centers, ...curve } = simulate(PEAK, 3);
    const shifted = { ...curve, centers: centers.map((center) => center - 10) };
    const [own] = readCurve({ ...curve, centers }, PROTONS).filter(({ name }) => name === 'R80');
    const [moved] = readCurve(shifted, { ...PROTONS, firstMatter: -10 }).filter(({ name }) => name === 'R80');
    expect(moved?.value).toBeCloseTo(own?.value ?? 0, 9);
    expect(moved?.coordinate).toBeCloseTo((own?.value ?? 0) - 10, 9);
    expect(own).not.toHaveProperty('coordinate');
    expect(own).toMatchObject({ unit: 'cm', definition: expect.stringContaining('80 %') });
  });

  it('reads a beam against its axis as one along it', () => {
    const { centers, values, errors, batches } = simulate(PEAK, 3);
    const turned = (numbers: Float64Array) => numbers.toReversed();
    const back = {
      name: 'Dose',
      unit: 'MeV/g',
      axis: { name: 'Z', unit: 'cm', centers: turned(centers.map((center) => 30 - center)) },
      values: turned(values),
      errors: turned(errors),
      batches: batches.map((batch) => ({ share: batch.share, values: turned(batch.values) })),
    };
    const read = readPage(back, { kind: 'ion', depth: { axis: 'Z', sign: -1, first_matter_cm: 30 } });
    const forward = readCurve({ centers, values, errors, batches }, PROTONS);
    expect(read.map(({ name }) => name)).toEqual(forward.map(({ name }) => name));
    for (const [i, { value, error }] of forward.entries()) {
      expect(read[i]?.value).toBeCloseTo(value, 8);
      expect(read[i]?.error ?? 0).toBeCloseTo(error ?? 0, 8);
    }
    expect(valueOf(read, 'R80')?.coordinate).toBeCloseTo(30 - (valueOf(forward, 'R80')?.value ?? 0), 8);
  });

  it('reads a page by what was simulated: along the beam, of its particle, in the unit of its axis', () => {
    const { centers, values, errors } = simulate(PEAK, 3);
    const page = (name: string, unit = 'MeV/g') => ({
      name: 'Dose',
      unit,
      axis: { name, unit: 'mm', centers: centers.map((center) => 10 * center) },
      values,
      errors,
    });
    const problem = { kind: 'ion', depth: { axis: 'X', sign: 1, first_matter_cm: 2 } } as const;
    expect(valueOf(readPage(page('X'), problem), 'R80')?.value).toBeCloseTo(10 * 13.76, -1);
    expect(valueOf(readPage(page('Z'), problem), 'R80')).toBeUndefined();
    expect(valueOf(readPage(page('Z'), {}), 'R80')).toBeDefined();
    expect(
      readPage(page('Z'), { ...problem, kind: 'electron', depth: { ...problem.depth, axis: 'Z' } }).map(
        ({ name }) => name,
      ),
    ).toContain('R50');
    expect(readPage(page('Z', 'keV/um'), {})).toEqual([]);
  });

  it('gives differences of readings as other less own, with errors of independent jobs', () => {
    const read = (value: number, error: number | null): Reading => ({
      name: 'R80',
      value,
      error,
      unit: 'cm',
      definition: 'depth',
      coordinate: 1,
    });
    expect(differencesOf([read(15, 0.3)], [read(15.5, 0.4)])).toEqual([
      { name: 'R80', value: 0.5, error: 0.5, unit: 'cm', definition: 'depth: the other less this one' },
    ]);
    expect(differencesOf([read(15, 0.3)], [read(15.5, null)])[0]?.error).toBeNull();
    expect(differencesOf([read(15, 0.3)], [])).toEqual([]);
  });

  it('weighs batches by their shares', () => {
    const { batches, ...curve } = simulate(PEAK, 5);
    const [first, second, ...rest] = batches;
    const merged = {
      share: 2 / BATCHES,
      values: (first?.values ?? new Float64Array(0)).map((one, bin) => (one + (second?.values[bin] ?? 0)) / 2),
    };
    const [equal, unequal] = [batches, [merged, ...rest]].map(
      (all) => valueOf(readCurve({ ...curve, batches: all }, PROTONS), 'R80')?.error ?? 0,
    );
    expect(unequal).toBeGreaterThan((equal ?? 0) / 3);
    expect(unequal).toBeLessThan((equal ?? 0) * 3);
  });

  it('reads nothing off a curve of nothing, of few bins, or of a quantity without a range', () => {
    const curve = simulate(PEAK, 3);
    expect(readCurve({ ...curve, values: curve.values.map(() => 0) }, PROTONS)).toEqual([]);
    expect(readCurve({ centers: [1, 2, 3], values: [1, 2, 0] }, PROTONS)).toEqual([]);
    expect(readCurve(curve, { ...PROTONS, kind: 'none' })).toEqual([]);
  });

  it('leaves out what the curve does not show', () => {
    const { centers, values } = simulate(PEAK, 3);
    const names = readCurve({ centers: centers.slice(0, 200), values: values.slice(0, 200) }, PROTONS);
    expect(names.map(({ name }) => name)).not.toContain('R80');
  });
});

describe('readings of other curves', () => {
  it('reads R100, R50 and the practical range of electrons', () => {
    const centers = Float64Array.from({ length: 200 }, (_, bin) => 0.025 + bin * 0.05);
    const values = centers.map(
      (z) => (z < 4 ? 1 - ((z - 2.5) / 8) ** 2 : Math.max(1 - (1.5 / 8) ** 2 - (z - 4), 0)) + 0.02,
    );
    const readings = readCurve({ centers, values }, { kind: 'depth', particle: 'electron', unit: 'cm' });
    expect(valueOf(readings, 'R100')?.value).toBeCloseTo(2.5, 1);
    expect(valueOf(readings, 'R50')?.value).toBeCloseTo(4.48, 1);
    expect(valueOf(readings, 'Rp')?.value).toBeCloseTo(4.96, 1);
  });

  it('reads FWHM and σ of a Gaussian, and the penumbra of a field', () => {
    const centers = Float64Array.from({ length: 120 }, (_, bin) => -2.975 + bin * 0.05);
    const about: CurveDescription = { kind: 'profile', particle: 'ion', unit: 'cm' };
    const gauss = readCurve(
      { centers, values: centers.map((x) => Math.exp(-((x - 0.2) ** 2) / (2 * 0.5 ** 2))) },
      about,
    );
    expect(valueOf(gauss, 'sigma')?.value).toBeCloseTo(0.5, 2);
    expect(valueOf(gauss, 'FWHM')?.value).toBeCloseTo(2.355 * 0.5, 1);
    expect(valueOf(gauss, 'center')?.value).toBeCloseTo(0.2, 2);
    const edge = (x: number) => 1 / (1 + Math.exp(x / 0.1));
    const flat = readCurve({ centers, values: centers.map((x) => edge(Math.abs(x) - 1.5)) }, about);
    expect(valueOf(flat, 'FWHM')?.value).toBeCloseTo(3, 2);
    expect(valueOf(flat, 'penumbra')?.value).toBeCloseTo(0.1 * 2 * log(4), 2); // a side is not washed out by the width of the field
    expect(valueOf(flat, 'sigma')).toBeUndefined();
  });

  it('reads mean and mode of a spectrum on linear and logarithmic axes', () => {
    const about: CurveDescription = { kind: 'spectrum', particle: 'ion', unit: 'MeV' };
    const linear = Float64Array.from({ length: 100 }, (_, bin) => bin + 0.5);
    const logarithmic = Float64Array.from({ length: 400 }, (_, bin) => 1e-2 * 10 ** ((bin + 0.5) / 100));
    for (const centers of [linear, logarithmic]) {
      const readings = readCurve({ centers, values: centers.map((e) => Math.exp(-((e - 40) ** 2) / 50)) }, about);
      expect(valueOf(readings, 'mean')?.value).toBeCloseTo(40, 0);
      expect(valueOf(readings, 'mode')?.value).toBeCloseTo(40, -1);
    }
  });

  it('writes digits that the error gives a meaning', () => {
    expect(formatReading({ value: 15.74321, error: 0.0123, unit: 'cm' })).toBe('15.743 ± 0.012 cm');
    expect(formatReading({ value: 15.74321, error: 3.2, unit: 'cm' })).toBe('15.7 ± 3.2 cm');
    expect(formatReading({ value: 4.0321, error: null, unit: '' })).toBe('4.032');
    expect(formatReading({ value: 15.7, error: 0.2, unit: 'cm', coordinate: 5.7 })).toBe(
      '15.70 ± 0.20 cm (coordinate 5.70 cm)',
    );
  });
});
