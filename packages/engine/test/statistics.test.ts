import { createHash } from 'node:crypto';

import { describe, expect, it, jest } from '@jest/globals';

import type { TaskOutput } from '@tally/merge';

import type { Detector, TransportProblem } from '../src/problem.js';
import { simulate, splitBatches } from '../src/simulate.js';
import { findPage, valuesOf, variancesOf } from './curve.js';
import { depthDetector, PRIMARIES, quantity, tank, task } from './water-tank.js';

// simulations; the machine may be busy
jest.setTimeout(180_000);

const MESH: Detector = { type: 'mesh', name: 'mesh', centerCm: [0, 0, 10], sizeCm: [2, 2, 20], segments: [5, 5, 20] };
const PROBLEM: TransportProblem = tank({
  energySpreadMev: 1.5,
  detectors: [depthDetector(20, 40), MESH],
  outputs: [
    {
      name: 'depth',
      detector: 0,
      quantities: [quantity('Dose'), quantity('dLET'), quantity('Fluence', { filter: PRIMARIES })],
    },
    { name: 'mesh', detector: 1, quantities: [quantity('Dose'), quantity('AvgEnergy')] },
  ],
});

function digest(output: TaskOutput): string {
  const hash = createHash('sha256');
  for (const { moments } of output.pages) for (const moment of moments) hash.update(new Uint8Array(moment.buffer));
  return hash.digest('hex');
}

function expectClose(first: Float64Array, second: Float64Array, relative: number): void {
  for (const [i, value] of first.entries()) {
    const other = second[i] ?? Number.NaN;
    if (value !== other)
      expect(Math.abs(value - other) / Math.max(Math.abs(value), Math.abs(other))).toBeLessThan(relative);
  }
}

/** Sums of all pages over tasks. */
function addUp(outputs: readonly TaskOutput[]): Float64Array[] {
  const [first] = outputs;
  return (first?.pages ?? []).flatMap((page, p) =>
    (page.kind === 'ratio' ? [0, 1] : [0]).map((m) => {
      const total = new Float64Array(page.moments[m]?.length ?? 0);
      for (const output of outputs)
        for (const i of total.keys()) total[i] = (total[i] ?? 0) + (output.pages[p]?.moments[m]?.[i] ?? 0);
      return total;
    }),
  );
}

describe('the numbers', () => {
  it('of 200 histories are the same to the last bit on every machine', async () => {
    expect(digest(await simulate(PROBLEM, task(200)))).toBe(GOLDEN);
  });

  it('do not depend on the number of threads, to the last bit', async () => {
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map(async (threads) => digest(await simulate(PROBLEM, task(1000), { threads }))),
    );
    expect(two).toBe(one);
    expect(three).toBe(one);
  });

  it('do not depend on how histories are split into tasks, to 1e-12', async () => {
    const whole = addUp([await simulate(PROBLEM, task(4000), { threads: 2 })]);
    const sizes = [1000, 1, 999, 7, 1993];
    const parts: TaskOutput[] = [];
    let firstHistory = 0;
    for (const size of sizes) {
      parts.push(await simulate(PROBLEM, task(size, { firstHistory })));
      firstHistory += size;
    }
    for (const [i, sums] of addUp(parts).entries()) expectClose(sums, whole[i] ?? new Float64Array(0), 1e-12);
  });

  it('differ for another seed, within their errors', async () => {
    const outputs = await Promise.all(
      ['1', '18446744073709551615'].map((seed) => simulate(PROBLEM, task(6000, { seed }))),
    );
    const [first, second] = outputs.map((output) => ({
      values: valuesOf(output, findPage(output, 'depth', 'Dose')),
      variances: variancesOf(output, findPage(output, 'depth', 'Dose')),
    }));
    if (first === undefined || second === undefined) throw new Error('no outputs');
    let chi2 = 0;
    const bins = 34;
    for (let i = 0; i < bins; i++) {
      chi2 +=
        ((first.values[i] ?? 0) - (second.values[i] ?? 0)) ** 2 /
        ((first.variances[i] ?? 0) + (second.variances[i] ?? 0));
    }
    expect(chi2 / bins).toBeGreaterThan(0.5);
    expect(chi2 / bins).toBeLessThan(1.7);
  });

  it('come in at most 20 batches that hold every history once', () => {
    expect(splitBatches(task(7, { firstHistory: 100 })).map(([first, count]) => [first, count])).toEqual(
      Array.from({ length: 7 }, (_, i) => [100 + i, 1]),
    );
    const batches = splitBatches(task(1003));
    expect(batches).toHaveLength(20);
    let next = 0;
    for (const [first, count] of batches) {
      expect(first).toBe(next);
      next += count;
    }
    expect(next).toBe(1003);
  });
});

describe('standard errors', () => {
  const replicas = 300;
  const histories = 500;
  const small = tank({ detectors: [depthDetector(20, 10)] });

  it('cover: 1 σ of a task holds the truth in 63 to 73 % of 300 replicas; pulls are normal', async () => {
    const truthOutput = await simulate(small, task(60000, { seed: '99' }), { threads: 2 });
    const truth = valuesOf(truthOutput, findPage(truthOutput, 'depth', 'Dose'));
    // one long run of the module per replica would cost a thread each: replicas are consecutive tasks of one job
    const outputs: TaskOutput[] = [];
    for (let first = 0; first < replicas; first += 10) {
      const group = Array.from({ length: 10 }, (_, i) =>
        simulate(small, task(histories, { firstHistory: (first + i) * histories })),
      );
      outputs.push(...(await Promise.all(group)));
    }
    const bins = [0, 2, 4, 6];
    let covered = 0;
    const pulls: number[] = [];
    for (const output of outputs) {
      const page = findPage(output, 'depth', 'Dose');
      const [values, variances] = [valuesOf(output, page), variancesOf(output, page)];
      for (const bin of bins) {
        const pull = ((values[bin] ?? 0) - (truth[bin] ?? 0)) / Math.sqrt(variances[bin] ?? 1);
        if (Math.abs(pull) < 1) covered++;
        pulls.push(pull);
      }
    }
    expect(covered / (replicas * bins.length)).toBeGreaterThan(0.63);
    expect(covered / (replicas * bins.length)).toBeLessThan(0.73);
    // Kolmogorov–Smirnov at 1 %: 1.63/√n; bins of a history are correlated, so count replicas
    pulls.sort((a, b) => a - b);
    const distance = Math.max(...pulls.map((pull, i) => Math.abs((i + 0.5) / pulls.length - normalShare(pull))));
    expect(distance).toBeLessThan(1.63 / Math.sqrt(replicas));
  });

  it('fall with the square root of the histories', async () => {
    const constants: number[] = [];
    for (const n of [2000, 8000, 32000]) {
      const output = await simulate(small, task(n), { threads: 2 });
      const page = findPage(output, 'depth', 'Dose');
      const values = valuesOf(output, page);
      const errors = variancesOf(output, page).map((variance, i) => Math.sqrt(variance) / (values[i] ?? 1));
      const mean = errors.subarray(0, 8).reduce((total, error) => total + error / 8, 0);
      constants.push(mean * Math.sqrt(n));
    }
    // each error has 19 degrees of freedom in 8 correlated bins: about 10 % uncertain
    for (const constant of constants) expect(Math.abs(constant / (constants[2] ?? 1) - 1)).toBeLessThan(0.25);
  });
});

/** Cumulative normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normalShare(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return x > 0 ? 1 - tail : tail;
}

const GOLDEN = '379a3746db22c11f9d56066cdae1a51c0db10416a132d542a2327fa5c039f0a4';
