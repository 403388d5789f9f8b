import { describe, expect, it, jest } from '@jest/globals';

import type { Beam, Detector, TransportProblem } from '../src/problem.js';
import { simulate } from '../src/simulate.js';
import { findPage, valuesOf } from './curve.js';
import { quantity, tank, task } from './water-tank.js';

// simulations; the machine may be busy
jest.setTimeout(180_000);

/** Mean and standard deviation across x and y of the fluence in a thin plane, in a world of vacuum. */
async function spotAt(depthCm: number, beam: Partial<Beam>, size = 8) {
  const base = tank({ icru: 1000, depthCm: 100, radiusCm: 20 });
  const plane = (segments: readonly [number, number, number]): Detector => ({
    type: 'mesh',
    name: 'plane',
    centerCm: [0, 0, depthCm],
    sizeCm: [size, size, 0.01],
    segments,
  });
  const problem: TransportProblem = {
    ...base,
    beam: { ...base.beam, positionCm: [0, 0, 0], ...beam },
    detectors: [plane([400, 1, 1]), plane([1, 400, 1])],
    outputs: ['x', 'y'].map((name, i) => ({ name, detector: i, quantities: [quantity('Fluence')] })),
  };
  const output = await simulate(problem, task(20000));
  return ['x', 'y'].map((name) => {
    const values = valuesOf(output, findPage(output, name, 'Fluence'));
    const at = (i: number) => ((i + 0.5) / 400 - 0.5) * size;
    const weight = values.reduce((sum, value) => sum + value, 0);
    const mean = values.reduce((sum, value, i) => sum + value * at(i), 0) / weight;
    const variance = values.reduce((sum, value, i) => sum + value * (at(i) - mean) ** 2, 0) / weight;
    return {
      mean,
      sigma: Math.sqrt(variance),
      reach: Math.max(...values.map((value, i) => (value > 0 ? Math.abs(at(i)) : 0))),
    };
  });
}

function expectNear(value: number | undefined, expected: number, relative = 0.03): void {
  expect(Math.abs((value ?? Number.NaN) / expected - 1)).toBeLessThan(relative);
}

describe('the spot', () => {
  it('is Gaussian with a width for each axis', async () => {
    const [x, y] = await spotAt(10, { shape: { type: 'gaussian', sigmaXCm: 0.3, sigmaYCm: 0.7 } });
    expectNear(x?.sigma, 0.3);
    expectNear(y?.sigma, 0.7);
    expect(Math.abs(x?.mean ?? 1)).toBeLessThan(0.01);
  });

  it('is a flat rectangle of half sizes, or a flat disc of a radius', async () => {
    const [x, y] = await spotAt(10, { shape: { type: 'flat-square', halfXCm: 1, halfYCm: 2 } });
    expectNear(x?.sigma, 1 / Math.sqrt(3));
    expectNear(y?.sigma, 2 / Math.sqrt(3));
    expect(x?.reach).toBeLessThan(1.02);
    const [disc] = await spotAt(10, { shape: { type: 'flat-circular', radiusCm: 2 } });
    expectNear(disc?.sigma, 1);
    expect(disc?.reach).toBeLessThan(2.02);
  });

  it('widens by the divergence, from the focal plane', async () => {
    const beam = {
      shape: { type: 'gaussian', sigmaXCm: 0.1, sigmaYCm: 0.1 },
      divergence: { xMrad: 10, yMrad: 5, distanceToFocalCm: 50 },
    } as const;
    const [x] = await spotAt(50, beam);
    expectNear(x?.sigma, 0.1);
    const [far, farY] = await spotAt(90, beam);
    expectNear(far?.sigma, Math.hypot(0.1, 0.01 * 40));
    expectNear(farY?.sigma, Math.hypot(0.1, 0.005 * 40));
    const [start] = await spotAt(0.5, beam);
    expectNear(start?.sigma, Math.hypot(0.1, 0.01 * 49.5));
  });

  it('magnifies from the source of each axis', async () => {
    const [x, y] = await spotAt(50, {
      shape: { type: 'gaussian', sigmaXCm: 0.3, sigmaYCm: 0.3 },
      sad: { xCm: 100, yCm: 200 },
    });
    expectNear(x?.sigma, 0.3 * 1.5);
    expectNear(y?.sigma, 0.3 * 1.25);
  });

  it('keeps to energies between the cut-offs', async () => {
    const base = tank();
    const problem: TransportProblem = {
      ...base,
      beam: { ...base.beam, energyMev: 100, energySpreadMev: 5, energyLowCutoffMev: 98, energyHighCutoffMev: 103 },
      materials: base.materials.map((material) => ({ ...material, icru: 1000 })),
      outputs: [
        {
          name: 'E',
          detector: 0,
          quantities: [
            quantity('Fluence', { modifiers: [{ type: 'E', lower: 90, upper: 110, bins: 20, log: false }] }),
          ],
        },
      ],
      detectors: [{ type: 'all', name: 'all' }],
    };
    const output = await simulate(problem, task(2000));
    const spectrum = valuesOf(output, findPage(output, 'E', 'Fluence'));
    for (const [i, value] of spectrum.entries()) expect(value > 0).toBe(i >= 8 && i < 13);
  });

  it('starts in vacuum where the beam begins outside the world, and is lost where it misses it', async () => {
    const base = tank();
    const outside = { ...base, beam: { ...base.beam, positionCm: [0, 0, -50] as const } };
    const inside = await simulate(base, task(100));
    const entered = await simulate(outside, task(100));
    const dose = (output: typeof inside) =>
      valuesOf(output, findPage(output, 'depth', 'Dose')).reduce((sum, value) => sum + value, 0);
    expect(dose(entered) / dose(inside)).toBeCloseTo(1, 1);
    const missed = await simulate({ ...outside, beam: { ...outside.beam, direction: [0, 0, -1] } }, task(10));
    expect(missed.counters.escapedMev).toBeCloseTo(1500, 9);
  });
});
