import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { mergePage, type TaskOutput } from '@tally/merge';
import fc from 'fast-check';

import type { Detector, TransportProblem } from '../src/problem/problem.js';
import { simulate, splitShares } from '../src/simulate.js';
import { findPage, valuesOf, variancesOf } from './curve.js';
import { depthDetector, PRIMARIES, quantity, SLOWING_DOWN_ONLY, tank, task } from './water-tank.js';

// simulations; the machine may be busy

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
  for (const { moments, remainders = [] } of output.pages) {
    for (const numbers of [...moments, ...remainders]) hash.update(new Uint8Array(numbers.buffer));
  }
  return hash.digest('hex');
}

/** Values and errors of all pages of a job whose tasks have these outputs. */
function merge(outputs: readonly TaskOutput[]) {
  const pages = outputs[0]?.pages ?? [];
  return pages.map((page, p) => {
    const parts = outputs.map(({ primaries, batches, pages: own }) => {
      return { primaries, batches, moments: own[p]?.moments ?? [], remainders: own[p]?.remainders };
    });
    const { values, errors } = mergePage(page, parts);
    return { values, errors };
  });
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

  it('merged, do not depend on how histories are split into tasks, to the last bit of values and errors', async () => {
    const whole = merge([await simulate(PROBLEM, task(3000, { firstHistory: 0 }), { threads: 2 })]);
    expect(whole[0]?.errors.some((error) => error > 0)).toBe(true);
    for (const borders of fc.sample(fc.uniqueArray(fc.integer({ min: 1, max: 2999 }), { maxLength: 7 }), 5)) {
      const starts = [0, ...borders.toSorted((a, b) => a - b), 3000];
      const tasks = starts.slice(1).map((end, i) => task(end - (starts[i] ?? 0), { firstHistory: starts[i] ?? 0 }));
      const outputs = await Promise.all(tasks.map((one) => simulate(PROBLEM, one)));
      expect([borders, merge(outputs)]).toEqual([borders, whole]);
    }
  });

  it('of more histories than the integers of a bin hold are those of shorter tasks together, to the last bit', async () => {
    const quantities = [quantity('Dose'), quantity('dLET')];
    const problem = tank({
      energyMev: 20,
      energySpreadMev: 0.3,
      physics: SLOWING_DOWN_ONLY,
      // few bins, and so many that blocks of them are listed
      detectors: [depthDetector(1, 40), depthDetector(1, 2000)],
      outputs: [0, 1].map((detector) => ({ name: `depth ${detector}`, detector, quantities })),
    });
    const whole = await simulate(problem, task(40_000, { firstHistory: 0 }));
    const parts = await Promise.all(
      [0, 1, 2, 3].map((part) => simulate(problem, task(10_000, { firstHistory: part * 10_000 }))),
    );
    expect(merge(parts)).toEqual(merge([whole]));
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

  it('come from at most 200 shares that hold every history once', () => {
    expect(splitShares(task(7, { firstHistory: 100 })).map(([first, count]) => [first, count])).toEqual(
      Array.from({ length: 7 }, (_, i) => [100 + i, 1]),
    );
    const shares = splitShares(task(1003));
    expect(shares).toHaveLength(200);
    let next = 0;
    for (const [first, count] of shares) {
      expect(first).toBe(next);
      next += count;
    }
    expect(next).toBe(1003);
  });
});

describe('standard errors', () => {
  const replicas = 200;
  const histories = 1000;
  const profile: Detector = { type: 'mesh', name: 'x', centerCm: [0, 0, 8], sizeCm: [3, 2, 1], segments: [15, 1, 1] };
  const small = tank({
    detectors: [depthDetector(20, 40), profile],
    outputs: [
      { name: 'depth', detector: 0, quantities: [quantity('Dose')] },
      { name: 'profile', detector: 1, quantities: [quantity('Dose')] },
    ],
  });
  /** Estimator and bin. */
  const regions = [
    ['depth', 0],
    ['depth', 10],
    ['depth', 30],
    ['profile', 5],
  ] as const;

  it('cover: 1 σ holds the truth in 63 to 73 % of 200 repetitions, at entrance, plateau and peak and beside the beam', async () => {
    const truthOutput = await simulate(small, task(100_000, { seed: '99' }), { threads: 2 });
    const truth = (estimator: string) => valuesOf(truthOutput, findPage(truthOutput, estimator, 'Dose'));
    const outputs: TaskOutput[] = [];
    for (let first = 0; first < replicas; first += 10) {
      const group = Array.from({ length: 10 }, (_, i) =>
        simulate(small, task(histories, { firstHistory: (first + i) * histories })),
      );
      outputs.push(...(await Promise.all(group)));
    }
    const shares = regions.map(([estimator, bin]) => {
      const covered = outputs.filter((output) => {
        const page = findPage(output, estimator, 'Dose');
        const difference = (valuesOf(output, page)[bin] ?? 0) - (truth(estimator)[bin] ?? 0);
        return difference ** 2 <= (variancesOf(output, page)[bin] ?? 0);
      });
      return covered.length / replicas;
    });
    // one region of 200 repetitions is known to 3.3 %
    for (const share of shares) expect(Math.abs(share - 0.68)).toBeLessThan(0.09);
    const mean = shares.reduce((sum, share) => sum + share / shares.length, 0);
    expect(mean).toBeGreaterThan(0.63);
    expect(mean).toBeLessThan(0.73);
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
    // mostly of nuclear interactions, of which the shortest run has few
    for (const constant of constants) expect(Math.abs(constant / (constants[2] ?? 1) - 1)).toBeLessThan(0.25);
  });
});

const GOLDEN = 'afd85801188ebbf7001ba35ff6bfa6d853fe6bc25a865581ffd2eb94c49cd6d1';
