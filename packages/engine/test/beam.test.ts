import { describe, expect, it } from '@jest/globals';

import type { Beam, Detector, Spot, TransportProblem } from '../src/problem/problem.js';
import { simulate } from '../src/simulate.js';
import { findPage, valuesOf } from './curve.js';
import { quantity, tank, task } from './water-tank.js';

// simulations; the machine may be busy

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

describe('a spot list', () => {
  const spot: Spot = {
    energyMev: 100,
    energySpreadMev: 0,
    xCm: 0,
    yCm: 0,
    sigmaXCm: 0,
    sigmaYCm: 0,
    divergenceXMrad: 0,
    divergenceYMrad: 0,
    weight: 1,
  };

  it('shares primaries out by weight, each spot with its place, width, energy and divergence', async () => {
    const spots = [
      { ...spot, xCm: -2, weight: 3 },
      { ...spot, xCm: 1, energyMev: 60, sigmaXCm: 0.3, sigmaYCm: 0.1, weight: 1 },
      { ...spot, xCm: 3, weight: 0 },
    ];
    const [x, y] = await spotAt(10, { spots });
    expect(Math.abs((x?.mean ?? 0) - (-2 * 0.75 + 1 * 0.25))).toBeLessThan(0.03);
    expectNear(x?.sigma, Math.sqrt(0.75 * 0.25 * 9 + 0.25 * 0.09), 0.02);
    expectNear(y?.sigma, Math.sqrt(0.25 * 0.01), 0.05);
    const [opening] = await spotAt(50, { spots: [{ ...spot, divergenceXMrad: 20 }] });
    expectNear(opening?.sigma, 50 * 0.02);

    const base = tank({ icru: 1000 });
    const spectrum = { type: 'E', lower: 0, upper: 160, bins: 16, log: false };
    const output = await simulate(
      {
        ...base,
        beam: { ...base.beam, spots },
        detectors: [{ type: 'all', name: 'all' }],
        outputs: [{ name: 'all', detector: 0, quantities: [quantity('Fluence', { modifiers: [spectrum] })] }],
      },
      task(4000),
    );
    const values = valuesOf(output, findPage(output, 'all', 'Fluence'));
    expectNear((values[6] ?? 0) / (values[10] ?? 1), 1 / 3, 0.1);
    expect(values.filter((value) => value > 0)).toHaveLength(2);
  });

  it('lies across the beam wherever that points, and opens with the source-to-axis distance', async () => {
    const turned = tank({ icru: 1000, depthCm: 40, radiusCm: 20 });
    const problem: TransportProblem = {
      ...turned,
      beam: {
        ...turned.beam,
        positionCm: [-15, 0, 20],
        direction: [1, 0, 0],
        spots: [{ ...spot, yCm: 2 }],
        sad: { xCm: 30, yCm: 30 },
      },
      // 15 cm on, a ray from 30 cm upstream is half as far out again
      detectors: [{ type: 'mesh', name: 'plane', centerCm: [0, 3, 20], sizeCm: [0.01, 0.1, 0.1], segments: [1, 1, 1] }],
      outputs: [{ name: 'plane', detector: 0, quantities: [quantity('Fluence')] }],
    };
    const output = await simulate(problem, task(50));
    expectNear(valuesOf(output, findPage(output, 'plane', 'Fluence'))[0], 100, 0.01);
  });

  it('of thousands of spots gives the same for any split into tasks', async () => {
    const spots = Array.from({ length: 5000 }, (_, i) => ({
      ...spot,
      energyMev: 60 + (i % 100),
      xCm: (i % 50) / 10 - 2.5,
      yCm: Math.floor(i / 100) / 10 - 2.5,
      sigmaXCm: 0.3,
      sigmaYCm: 0.3,
      weight: 1e7 * (1 + (i % 7)),
    }));
    const base = tank();
    const problem: TransportProblem = { ...base, beam: { ...base.beam, spots } };
    const whole = await simulate(problem, task(300));
    const parts = await Promise.all([
      simulate(problem, task(120)),
      simulate(problem, task(180, { firstHistory: 120 })),
    ]);
    const dose = valuesOf(whole, findPage(whole, 'depth', 'Dose'));
    for (const [i, value] of dose.entries()) {
      const sum = parts.reduce((total, part) => total + (findPage(part, 'depth', 'Dose').moments[0]?.[i] ?? 0), 0);
      expect(Math.abs(sum / 300 - value)).toBeLessThanOrEqual(1e-12 * value);
    }
  });
});
