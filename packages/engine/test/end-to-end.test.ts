import { beforeAll, describe, expect, it } from '@jest/globals';

import type { TaskOutput } from '@tally/merge';
import type { Detector } from '../src/problem/problem.js';
import { simulate } from '../src/simulate.js';
import { physicsTables } from '../src/transport/physics-tables.js';
import { DepthCurve, findPage, valuesOf } from './curve.js';
import { depthDetector, PRIMARIES, PROTONS, quantity, tank, task } from './water-tank.js';

// simulations; the machine may be busy

// 150 MeV, σ 1.5 MeV, water, slab of radius 5 cm: published run of SHIELD-HIT12A, dose in MeV/g/primary.
const DOSES = [
  [0.025, 0.0711],
  [1.025, 0.0753],
  [3.025, 0.0821],
  [5.025, 0.0851],
  [7.025, 0.0924],
  [9.025, 0.1002],
  [11.025, 0.1115],
  [13.025, 0.1361],
] as const;
const PUBLISHED = { peak: 0.2973, peakToEntrance: 4.03, r80: 15.71, r20: 16.14, energy: 144.17 };
const SURVIVAL = [
  [5, 0.946],
  [10, 0.892],
  [14.5, 0.835],
] as const;
const CORE_SIGMA_MM = [
  [10, 1.59],
  [12, 2.15],
  [14, 2.92],
] as const;

function plane(depthCm: number): Detector {
  return { type: 'mesh', name: `z=${depthCm}`, centerCm: [0, 0, depthCm], sizeCm: [4, 4, 0.1], segments: [80, 1, 1] };
}

function within(value: number, low: number, high: number): void {
  expect(value).toBeGreaterThan(low);
  expect(value).toBeLessThan(high);
}

describe('150 MeV protons in water, against the published run of SHIELD-HIT12A:', () => {
  let output: TaskOutput;
  let dose: DepthCurve;

  beforeAll(async () => {
    const problem = tank({
      energySpreadMev: 1.5,
      detectors: [
        depthDetector(20, 400),
        ...CORE_SIGMA_MM.map(([depth]) => plane(depth)),
        { type: 'all', name: 'all' },
        depthDetector(20, 200),
      ],
      outputs: [
        {
          name: 'depth',
          detector: 0,
          quantities: [quantity('Dose'), quantity('Fluence', { filter: PRIMARIES })],
        },
        ...CORE_SIGMA_MM.map(([depth], i) => ({
          name: `plane ${depth}`,
          detector: 1 + i,
          quantities: [quantity('Fluence', { filter: PRIMARIES })],
        })),
        { name: 'all', detector: 4, quantities: [quantity('Energy')] },
        {
          name: 'LET',
          detector: 5,
          quantities: [quantity('dLET', { filter: PROTONS }), quantity('tLET', { filter: PROTONS })],
        },
      ],
    });
    output = await simulate(problem, task(120000), { threads: 2 });
    dose = new DepthCurve(valuesOf(output, findPage(output, 'depth', 'Dose')), 0.05);
  });

  it('R80 within 0.5 mm', () => {
    expect(Math.abs(dose.range(0.8) - PUBLISHED.r80)).toBeLessThan(0.05);
  });

  it('distal fall-off R20 − R80 within 0.4 mm', () => {
    expect(Math.abs(dose.range(0.2) - dose.range(0.8) - (PUBLISHED.r20 - PUBLISHED.r80))).toBeLessThan(0.04);
  });

  it('peak and entrance: their ratio within 6 %', () => {
    expect(Math.abs(dose.peak / dose.mean(0, 0.1) / PUBLISHED.peakToEntrance - 1)).toBeLessThan(0.06);
    expect(Math.abs(dose.peak / PUBLISHED.peak - 1)).toBeLessThan(0.06);
  });

  it('plateau within 3 %', () => {
    for (const [depth, value] of DOSES) {
      const here = dose.mean(depth - 0.025, depth + 0.125);
      expect([depth, Math.abs(here / value - 1) < 0.03]).toEqual([depth, true]);
    }
  });

  it('energy deposited within 1 %', () => {
    const [energy = 0] = valuesOf(output, findPage(output, 'all', 'Energy'));
    expect(Math.abs(energy / PUBLISHED.energy - 1)).toBeLessThan(0.01);
  });

  it('survival of primaries within 1.5 % of the beam', () => {
    const alive = valuesOf(output, findPage(output, 'depth', 'Fluence'));
    for (const [depth, share] of SURVIVAL) {
      expect(Math.abs((alive[Math.round(depth * 20)] ?? 0) * Math.PI * 25 - share)).toBeLessThan(0.015);
    }
  });

  it('lateral core of the primaries within 8 %', () => {
    for (const [depth, millimetres] of CORE_SIGMA_MM) {
      const page = findPage(output, `plane ${depth}`, 'Fluence');
      const profile = valuesOf(output, page);
      const centers = page.axes[0]?.centers ?? [];
      // the core: 2 σ to either side, whose second moment is 0.7737 σ² for a Gaussian
      const limit = 0.2 * millimetres;
      let weight = 0;
      let square = 0;
      for (const [i, x] of centers.entries()) {
        if (Math.abs(x) > limit) continue;
        weight += profile[i] ?? 0;
        square += (profile[i] ?? 0) * x * x;
      }
      const sigma = Math.sqrt(square / weight / 0.7737);
      expect([depth, Math.abs((10 * sigma) / millimetres - 1) < 0.08]).toEqual([depth, true]);
    }
  });

  // the published entrance value is of some ten reactions
  it('LET of protons at the peak within 10 %, at the entrance within 15 %', () => {
    const dose90 = valuesOf(output, findPage(output, 'LET', 'dLET'));
    const track = valuesOf(output, findPage(output, 'LET', 'tLET'));
    expect(Math.abs((dose90[153] ?? 0) / 55.9 - 1)).toBeLessThan(0.1);
    expect(Math.abs((track[153] ?? 0) / 32.9 - 1)).toBeLessThan(0.1);
    expect(Math.abs((dose90[0] ?? 0) / 6.16 - 1)).toBeLessThan(0.15);
    expect(Math.abs((track[0] ?? 0) / 5.55 - 1)).toBeLessThan(0.03);
  });
});

/** A depth curve of a monoenergetic beam. */
async function depthCurve(options: Parameters<typeof tank>[0] & { depthCm: number }, histories: number, binCm: number) {
  const problem = tank({
    radiusCm: 10,
    detectors: [depthDetector(options.depthCm, Math.round(options.depthCm / binCm), 10)],
    ...options,
  });
  const output = await simulate(problem, task(histories), { threads: 2 });
  return new DepthCurve(
    valuesOf(output, findPage(output, 'depth', 'Dose')),
    options.depthCm / Math.round(options.depthCm / binCm),
  );
}

describe('monoenergetic depth doses', () => {
  it.each([
    [70, 4.08, -0.1, 6.1],
    [100, 7.718, -0.2, 5.8],
    [200, 25.96, -0.6, 4.6],
    [230, 32.95, -0.75, 4.1],
  ])('of protons of %i MeV end where the range table says', async (energyMev, range, shiftMm, ratio) => {
    const curve = await depthCurve({ energyMev, depthCm: Math.ceil(range + 2) }, 20000, 0.05);
    expect(Math.abs((curve.range(0.8) - range) * 10 - shiftMm)).toBeLessThan(0.5);
    within(curve.peak / curve.mean(0, 0.2) / ratio, 0.92, 1.08);
  });

  it('of helium (150 MeV/u) and carbon (270 MeV/u) peak within half a percent below the CSDA range', async () => {
    const helium = await depthCurve({ z: 2, a: 4, energyMev: 600, depthCm: 18 }, 6000, 0.02);
    within(helium.peakDepth, 15.86 * 0.995 - 0.07, 15.86 + 0.07);
    const carbon = await depthCurve(
      { z: 6, a: 12, energyMev: 3240, depthCm: 18, physics: { stoppingPowerTable: 'icru90' } },
      4000,
      0.02,
    );
    within(carbon.peakDepth, 14.46 * 0.995 - 0.07, 14.46 + 0.07);
    // fragments reach behind the peak
    expect(carbon.mean(16, 17)).toBeGreaterThan(0.005 * carbon.peak);
  });

  it.each([
    ['helium of 150 MeV/u', 2, 4, 150, 15.86, 0.63],
    ['carbon of 270 MeV/u', 6, 12, 270, 14.46, 0.48],
    ['carbon of 400 MeV/u', 6, 12, 400, 27.51, 0.26],
  ])(
    'of %s come from the share of primaries that the Kox cross section leaves',
    async (_name, z, a, perNucleon, range, share) => {
      const filter = { name: 'primaries', rules: [{ keyword: 'GEN' as const, operator: '==' as const, value: 0 }] };
      const problem = tank({
        z,
        a,
        energyMev: a * perNucleon,
        depthCm: Math.ceil(range),
        radiusCm: 10,
        detectors: [{ ...depthDetector(0.5, 1, 10), centerCm: [0, 0, range * 0.97] }],
        outputs: [{ name: 'end', detector: 0, quantities: [quantity('Fluence', { filter })] }],
      });
      const output = await simulate(problem, task(3000), { threads: 2 });
      const [alive = 0] = valuesOf(output, findPage(output, 'end', 'Fluence'));
      expect(Math.abs(alive * Math.PI * 100 - share)).toBeLessThan(0.035);
    },
  );

  it.each([
    ['PMMA', 223, 1.19],
    ['aluminium', 13, 2.6989],
  ])('in %s end at the range divided by density', async (_name, icru, density) => {
    const range = physicsTables({ name: '', icru }).csdaRange({ z: 1, a: 1 }, 150) / density;
    const curve = await depthCurve({ energyMev: 150, icru, depthCm: Math.ceil(range + 1) }, 10000, 0.025);
    within((curve.range(0.8) - range) * 10, -0.7, 0.2);
  });

  it('behind a slab of bone are shifted by its water-equivalent thickness', async () => {
    const bone = physicsTables({ name: 'bone', icru: 120 });
    const water = physicsTables({ name: 'water', icru: 276 });
    const thickness = 2;
    const base = tank({ depthCm: 20, radiusCm: 10, detectors: [depthDetector(20, 400, 10)] });
    const slab = {
      ...base,
      materials: [...base.materials, { name: 'bone', icru: 120 }],
      figures: [
        ...base.figures,
        {
          name: 'slab',
          shape: { type: 'box' as const, sizeCm: [20, 20, thickness] as const },
          centerCm: [0, 0, 3] as const,
          rotationDeg: [0, 0, 0] as const,
        },
      ],
      zones: [{ name: 'slab', material: 2, terms: [[{ mode: 'union' as const, figure: 2 }]] }, ...base.zones],
    };
    const [without, behind] = await Promise.all(
      [base, slab].map(async (problem) => {
        const output = await simulate(problem, task(10000));
        return new DepthCurve(valuesOf(output, findPage(output, 'depth', 'Dose')), 0.05).range(0.8);
      }),
    );
    // energy behind the slab by ranges in bone; what is left of the range in water
    const particle = { z: 1, a: 1 };
    const before = water.energyOfRange(particle, water.csdaRange(particle, 150) - 2);
    const after = bone.energyOfRange(particle, bone.csdaRange(particle, before) - thickness * 1.85);
    const expected = water.csdaRange(particle, before) - water.csdaRange(particle, after) - thickness;
    expect(Math.abs((without ?? 0) - (behind ?? 0) - expected)).toBeLessThan(0.03);
  });
});
