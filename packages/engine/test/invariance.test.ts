import { describe, expect, it } from '@jest/globals';

import type { TaskOutput } from '@tally/merge';

import type { TransportProblem } from '../src/problem/problem.js';
import { simulate } from '../src/simulate.js';
import { DepthCurve, findPage, valuesOf, variancesOf } from './curve.js';
import { depthDetector, quantity, tank, task } from './water-tank.js';

// simulations; the machine may be busy

function depthDose(output: TaskOutput, binCm: number): DepthCurve {
  return new DepthCurve(valuesOf(output, findPage(output, 'depth', 'Dose')), binCm);
}

describe('the result does not depend on', () => {
  it('the step size: range and plateau agree for steps of 1 % and 5 %', async () => {
    const [fine, coarse] = await Promise.all(
      [0.01, 0.05].map(async (energyLossFraction) => {
        const problem = tank({ physics: { energyLossFraction, nuclearReactions: false } });
        return depthDose(await simulate(problem, task(12000)), 0.05);
      }),
    );
    if (fine === undefined || coarse === undefined) throw new Error('no curves');
    expect(Math.abs(fine.range(0.8) - coarse.range(0.8))).toBeLessThan(0.02);
    for (const depth of [0.5, 4, 8, 12]) {
      expect(Math.abs(fine.mean(depth, depth + 1) / coarse.mean(depth, depth + 1) - 1)).toBeLessThan(0.015);
    }
    expect(Math.abs(fine.peak / coarse.peak - 1)).toBeLessThan(0.03);
  });

  it('the bins: a mesh of 1 mm and one of 5 mm hold the same energy, bin by bin', async () => {
    const mesh = (name: string, size: number) => ({
      type: 'mesh' as const,
      name,
      centerCm: [0, 0, 10] as const,
      sizeCm: [4, 4, 20] as const,
      segments: [4 / size, 4 / size, 20 / size] as const,
    });
    const problem = tank({
      detectors: [mesh('fine', 0.1), mesh('coarse', 0.5)],
      outputs: [
        { name: 'fine', detector: 0, quantities: [quantity('Energy'), quantity('Fluence')] },
        { name: 'coarse', detector: 1, quantities: [quantity('Energy'), quantity('Fluence')] },
      ],
    });
    const output = await simulate(problem, task(1000));
    const fine = valuesOf(output, findPage(output, 'fine', 'Energy'));
    const coarse = valuesOf(output, findPage(output, 'coarse', 'Energy'));
    const sums = new Float64Array(coarse.length);
    for (const [i, value] of fine.entries()) {
      const [x, y, z] = [i % 40, Math.floor(i / 40) % 40, Math.floor(i / 1600)];
      const bin = Math.floor(x / 5) + 8 * Math.floor(y / 5) + 64 * Math.floor(z / 5);
      sums[bin] = (sums[bin] ?? 0) + value;
    }
    for (const [i, value] of coarse.entries()) expect(sums[i]).toBeCloseTo(value, 9);
    const fluence = (name: string) =>
      valuesOf(output, findPage(output, name, 'Fluence')).reduce((sum, value) => sum + value, 0);
    expect(fluence('fine') * 0.001).toBeCloseTo(fluence('coarse') * 0.125, 9);
  });

  it('left and right: mirrored profiles agree within their errors', async () => {
    const problem = tank({
      detectors: [{ type: 'mesh', name: 'xy', centerCm: [0, 0, 12], sizeCm: [1.6, 1.6, 0.5], segments: [8, 8, 1] }],
      outputs: [{ name: 'xy', detector: 0, quantities: [quantity('Dose')] }],
    });
    const output = await simulate(problem, task(60000), { threads: 2 });
    const page = findPage(output, 'xy', 'Dose');
    const values = valuesOf(output, page);
    const variances = variancesOf(output, page);
    let chi2 = 0;
    let terms = 0;
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) {
        for (const other of [7 - x + 8 * y, x + 8 * (7 - y), y + 8 * x]) {
          const here = x + 8 * y;
          if (other <= here) continue;
          const difference = (values[here] ?? 0) - (values[other] ?? 0);
          chi2 += difference ** 2 / ((variances[here] ?? 0) + (variances[other] ?? 0));
          terms++;
        }
      }
    }
    // variances of 20 batches: the mean of a squared t variate of two such is 1.06
    expect(chi2 / terms).toBeGreaterThan(0.75);
    expect(chi2 / terms).toBeLessThan(1.35);
  });

  it('the direction: beams along −z and x give the same curve', async () => {
    const forward = depthDose(await simulate(tank(), task(8000), { threads: 2 }), 0.05);
    const base = tank();
    const backward: TransportProblem = {
      ...base,
      beam: { ...base.beam, positionCm: [0, 0, 21], direction: [0, 0, -2] },
    };
    const back = depthDose(await simulate(backward, task(8000), { threads: 2 }), 0.05);
    const reversed = new DepthCurve(back.values.toReversed(), 0.05);
    const sideways: TransportProblem = {
      ...base,
      beam: { ...base.beam, positionCm: [-11, 0, 10], direction: [1, 0, 0] },
      figures: base.figures.map((figure, i) =>
        i === 0 ? { ...figure, rotationDeg: [0, 90, 0] } : { ...figure, shape: { type: 'box', sizeCm: [24, 24, 24] } },
      ),
      detectors: [{ type: 'mesh', name: 'x', centerCm: [0, 0, 10], sizeCm: [20, 10, 10], segments: [400, 1, 1] }],
    };
    const side = depthDose(await simulate(sideways, task(8000), { threads: 2 }), 0.05);
    // areas differ: π·25 cm² against 100 cm²
    const area = (Math.PI * 25) / 100;
    for (const curve of [
      reversed,
      new DepthCurve(
        side.values.map((value) => value / area),
        0.05,
      ),
    ]) {
      expect(Math.abs(curve.range(0.8) - forward.range(0.8))).toBeLessThan(0.03);
      for (const depth of [0, 5, 10]) {
        expect(Math.abs(curve.mean(depth, depth + 2) / forward.mean(depth, depth + 2) - 1)).toBeLessThan(0.015);
      }
    }
  });
});

describe('energy', () => {
  it.each([
    ['protons', 1, 1, 150],
    ['deuterons', 1, 2, 200],
    ['tritons', 1, 3, 300],
    ['helium-3', 2, 3, 450],
    ['helium-4', 2, 4, 600],
    ['lithium', 3, 7, 1400],
    ['carbon', 6, 12, 3240],
    ['oxygen', 8, 16, 4800],
    ['neon', 10, 20, 6000],
  ])('of every history of %s is deposited, escapes or is neutral, to 1e-9', async (_name, z, a, energyMev) => {
    const problem = tank({
      z,
      a,
      energyMev,
      detectors: [depthDetector(20, 20), { type: 'all', name: 'all' }],
      outputs: [{ name: 'all', detector: 1, quantities: [quantity('Energy')] }],
    });
    const histories = 600;
    const output = await simulate(problem, task(histories));
    const {
      imbalancedHistories,
      lostParticles,
      startedMev = 0,
      depositedMev = 0,
      escapedMev = 0,
      neutralMev = 0,
    } = output.counters;
    expect(imbalancedHistories).toBe(0);
    expect(lostParticles).toBe(0);
    expect((depositedMev + escapedMev + neutralMev) / startedMev).toBeCloseTo(1, 9);
    expect(neutralMev).toBeGreaterThan(0);
    const [scored = 0] = valuesOf(output, findPage(output, 'all', 'Energy'));
    expect((scored * histories) / depositedMev).toBeCloseTo(1, 9);
  });
});
