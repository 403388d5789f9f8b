import { describe, expect, it } from '@jest/globals';

import type { TaskOutput } from '@tally/merge';
import type { Detector, FilterRule, Modifier, Quantity, TransportProblem } from '../src/problem/problem.js';
import { simulate } from '../src/simulate.js';
import { physicsTables } from '../src/transport/physics-tables.js';
import { findPage, valuesOf } from './curve.js';
import { depthDetector, quantity, SLOWING_DOWN_ONLY, tank, task } from './water-tank.js';

// simulations; the machine may be busy

const ALL: Detector = { type: 'all', name: 'all' };
const PROTON = { z: 1, a: 1 };
const WATER = physicsTables({ name: 'water', icru: 276 });

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function rule(keyword: FilterRule['keyword'], operator: FilterRule['operator'], value: number): Quantity['filter'] {
  return { name: `${keyword}${operator}${value}`, rules: [{ keyword, operator, value }] };
}

function axis(type: string, lower: number, upper: number, bins: number, log = false): Modifier {
  return { type, lower, upper, bins, log };
}

/** Scores quantities, each in an output of its own named by its index, in one detector. */
async function score(
  detector: Detector,
  quantities: readonly Quantity[],
  more: Partial<TransportProblem> = {},
  histories = 500,
) {
  const problem: TransportProblem = {
    ...tank(),
    detectors: [detector],
    outputs: quantities.map((one, i) => ({ name: String(i), detector: 0, quantities: [one] })),
    ...more,
  };
  return simulate(problem, task(histories));
}

function values(output: TaskOutput, index: number): Float64Array {
  const page = output.pages[index];
  if (page === undefined) throw new Error(`There is no page ${index}.`);
  return valuesOf(output, page);
}

describe('quantities', () => {
  it('keep their definitions: dose is energy per mass, gray is MeV/g, fluence is length per volume', async () => {
    const output = await score(depthDetector(20, 40), [
      quantity('Energy'),
      quantity('Dose'),
      quantity('DoseGy'),
      quantity('DDD'),
      quantity('Fluence'),
    ]);
    const volume = Math.PI * 25 * 0.5;
    for (const [i, energy] of values(output, 0).entries()) {
      expect(values(output, 1)[i]).toBeCloseTo(energy / volume, 12);
      expect((values(output, 2)[i] ?? 0) / 1.602176634e-10).toBeCloseTo(energy / volume, 9);
      expect(values(output, 3)[i]).toBe(values(output, 1)[i]);
    }
    expect(output.pages.map(({ unit }) => unit)).toEqual([
      'MeV/prim',
      'MeV/g/prim',
      'Gy/prim',
      'MeV/g/prim',
      '/cm^2/prim',
    ]);
    expect((values(output, 4)[0] ?? 0) * Math.PI * 25).toBeGreaterThan(1);
  });

  it('of LET agree with the stopping power where every proton has one energy', async () => {
    const output = await score(
      depthDetector(20, 20),
      [quantity('dLET'), quantity('tLET'), quantity('AvgEnergy'), quantity('AvgBeta'), quantity('tZ2Beta2')],
      { physics: { ...tank().physics, ...SLOWING_DOWN_ONLY } },
    );
    const range = WATER.csdaRange(PROTON, 150);
    for (const bin of [0, 5, 10]) {
      const before = WATER.energyOfRange(PROTON, range - bin);
      const after = WATER.energyOfRange(PROTON, range - bin - 1);
      const middle = WATER.energyOfRange(PROTON, range - bin - 0.5);
      expect((values(output, 1)[bin] ?? 0) / (before - after)).toBeCloseTo(1, 2);
      expect((values(output, 0)[bin] ?? 0) / WATER.stoppingPower(PROTON, middle)).toBeCloseTo(1, 2);
      expect((values(output, 2)[bin] ?? 0) / middle).toBeCloseTo(1, 2);
      const gamma = 1 + middle / 938.27208816;
      expect((values(output, 3)[bin] ?? 0) ** 2).toBeCloseTo(1 - 1 / gamma ** 2, 3);
      expect((values(output, 4)[bin] ?? 0) * (1 - 1 / gamma ** 2)).toBeCloseTo(1, 2);
    }
    // empty bins are 0 of 0
    expect(output.pages[0]?.moments.map((moment) => moment[19])).toEqual([0, 0, 0, 0, 0]);
  });

  it('of speeds agree with their means to the end of the range, where the speed counts down to 25 keV per nucleon', async () => {
    const output = await score(
      depthDetector(20, 20),
      [quantity('tZ2Beta2'), quantity('dZ2Beta2'), quantity('AvgEnergy'), quantity('AvgBeta')],
      { physics: { ...tank().physics, ...SLOWING_DOWN_ONLY } },
    );
    const range = WATER.csdaRange(PROTON, 150);
    const last = Math.floor(range);
    const slices = 20_000;
    const means = { overLength: 0, overLoss: 0, energy: 0, speed: 0 };
    let high = WATER.energyOfRange(PROTON, range - last);
    const loss = high;
    for (let i = 1; i <= slices; i++) {
      const low = i === slices ? 0 : WATER.energyOfRange(PROTON, (range - last) * (1 - i / slices));
      const gamma = 1 + Math.max(0.025, 0.5 * (high + low)) / 938.27208816;
      const beta2 = 1 - 1 / gamma ** 2;
      means.overLength += 1 / beta2 / slices;
      means.overLoss += (high - low) / beta2 / loss;
      means.energy += (0.5 * (high + low)) / slices;
      means.speed += Math.sqrt(beta2) / slices;
      high = low;
    }
    expect((values(output, 0)[last] ?? 0) / means.overLength).toBeCloseTo(1, 1);
    expect((values(output, 1)[last] ?? 0) / means.overLoss).toBeCloseTo(1, 1);
    expect((values(output, 2)[last] ?? 0) / means.energy).toBeCloseTo(1, 2);
    expect((values(output, 3)[last] ?? 0) / means.speed).toBeCloseTo(1, 2);
  });

  it('add up over a filter and its opposite, and over a differential axis', async () => {
    const output = await score(ALL, [
      quantity('Energy'),
      quantity('Energy', { filter: rule('GEN', '==', 0) }),
      quantity('Energy', { filter: rule('GEN', '>', 0) }),
      quantity('Fluence'),
      quantity('Fluence', { modifiers: [axis('E', 0, 200, 50)] }),
      quantity('Fluence', { modifiers: [axis('ENUC', 1e-8, 200, 60, true), axis('ANGLE', 0, 180.0001, 9)] }),
      quantity('Fluence', { filter: rule('E', '<', 100) }),
      quantity('Fluence', { filter: rule('E', '>=', 100) }),
      quantity('Fluence', { modifiers: [axis('TL', 0, 1000, 40)] }),
    ]);
    const [energy = 0] = values(output, 0);
    expect((values(output, 1)[0] ?? 0) + (values(output, 2)[0] ?? 0)).toBeCloseTo(energy, 9);
    const [length = 0] = values(output, 3);
    expect(sum(values(output, 4)) * 4).toBeCloseTo(length, 9);
    const bins = output.pages[5]?.axes.map(({ centers }) => centers.length);
    expect(bins).toEqual([60, 9]);
    const ratio = (200 / 1e-8) ** (1 / 60);
    const integral = values(output, 5).reduce((total, value, i) => {
      const low = 1e-8 * ratio ** (i % 60);
      return total + (value * (low * ratio - low) * 180.0001) / 9;
    }, 0);
    expect(integral).toBeCloseTo(length, 6);
    expect((values(output, 6)[0] ?? 0) + (values(output, 7)[0] ?? 0)).toBeCloseTo(length, 9);
    expect(sum(values(output, 8)) * 25).toBeCloseTo(length, 9);
    expect(output.pages[4]?.unit).toBe('cm/prim/(MeV)');
  });

  it('select particles by charge, mass number, id and primary', async () => {
    const carbon = { ...tank().beam, particle: { name: 'carbon', z: 6, a: 12 }, energyMev: 3000 };
    const output = await score(
      ALL,
      [
        quantity('Fluence'),
        quantity('Fluence', { modifiers: [axis('Z', -0.5, 10.5, 11)] }),
        quantity('Fluence', { filter: rule('Z', '==', 6) }),
        quantity('Fluence', { filter: rule('ID', '==', 2) }),
        quantity('Fluence', {
          filter: {
            name: 'p',
            rules: [
              { keyword: 'Z', operator: '==', value: 1 },
              { keyword: 'A', operator: '==', value: 1 },
            ],
          },
        }),
        quantity('Fluence', { filter: rule('NPRIM', '<=', 150) }),
        quantity('Fluence', { filter: rule('AMU', '>', 11.5) }),
        quantity('dZeff2Beta2'),
        quantity('dZ2Beta2'),
      ],
      { beam: carbon },
      300,
    );
    const spectrum = values(output, 1);
    expect(sum(spectrum)).toBeCloseTo(values(output, 0)[0] ?? 0, 9);
    expect(spectrum[6]).toBeCloseTo(values(output, 2)[0] ?? 0, 9);
    // neutrons, protons
    expect(spectrum[0]).toBeGreaterThan(0);
    expect(spectrum[1]).toBeGreaterThan(0);
    expect(values(output, 3)[0]).toBeCloseTo(values(output, 4)[0] ?? 0, 12);
    const share = (values(output, 5)[0] ?? 0) / (values(output, 0)[0] ?? 1);
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
    expect(values(output, 6)[0]).toBeLessThanOrEqual(values(output, 2)[0] ?? 0);
    expect(values(output, 7)[0]).toBeLessThan(values(output, 8)[0] ?? 0);
  });

  it('count any of several kinds of particles beside their rules: the sum of single filters', async () => {
    const kinds = { neutron: { z: 0, a: 1 }, proton: { z: 1, a: 1 }, deuteron: { z: 1, a: 2 } };
    const of = (...wanted: { z: number; a: number }[]) => ({
      filter: { name: 'kinds', rules: rule('E', '<', 140)?.rules ?? [], kinds: wanted },
    });
    const output = await score(
      ALL,
      [
        quantity('Fluence', of(kinds.proton)),
        quantity('Fluence', of(kinds.neutron)),
        quantity('Fluence', of(kinds.deuteron)),
        quantity('Fluence', of(kinds.proton, kinds.neutron, kinds.deuteron)),
        quantity('Fluence', of(kinds.deuteron, kinds.proton)),
        quantity('Dose', of(kinds.proton)),
        quantity('Dose', of(kinds.deuteron, kinds.proton)),
      ],
      {},
      500,
    );
    const [p = 0, n = 0, d = 0, all = 0, charged = 0, dose = 0, charges = 0] = output.pages.map((_, i) =>
      sum(values(output, i)),
    );
    expect(Math.min(p, n, d)).toBeGreaterThan(0);
    expect(all).toBeCloseTo(p + n + d, 9);
    expect(charged).toBeCloseTo(p + d, 9);
    expect(charges).toBeGreaterThan(dose);
  });

  it('of neutrons: fluence and mean energy along their way, kerma where they collide', async () => {
    const neutrons = rule('Z', '==', 0);
    const output = await score(
      ALL,
      [
        quantity('Fluence', { filter: neutrons }),
        quantity('Fluence', { filter: rule('ID', '==', 1) }),
        quantity('Fluence', {
          filter: { name: 'fast', rules: [...(neutrons?.rules ?? []), ...(rule('E', '>', 1)?.rules ?? [])] },
        }),
        quantity('NKERMA'),
        quantity('NKERMA', { modifiers: [axis('E', 0, 200, 20)] }),
        quantity('AvgEnergy', { filter: neutrons }),
        quantity('Fluence', { filter: neutrons, modifiers: [axis('E', 0, 2.5e-8, 1)] }),
      ],
      {},
      2000,
    );
    const [fluence = 0, byId = 0, fast = 0, kerma = 0, spectrum = 0, mean = 0, slower = 0] = output.pages.map((_, i) =>
      sum(values(output, i)),
    );
    expect(fluence).toBeGreaterThan(0.3);
    expect(byId).toBe(fluence);
    expect(fast).toBeGreaterThan(0.3 * fluence);
    expect(fast).toBeLessThan(fluence);
    // what 0.17 reactions a primary set free gives a part of its energy within 5 cm of water
    expect(kerma).toBeGreaterThan(0.05);
    expect(kerma).toBeLessThan(5);
    expect(spectrum * 10).toBeCloseTo(kerma, 9);
    expect(mean).toBeGreaterThan(1);
    // none is slower than the thermal group, whatever a reaction leaves it
    expect(slower).toBe(0);
  });

  it('refer to another medium by the ratio of stopping powers', async () => {
    const air = physicsTables({ name: 'air', icru: 104 });
    const base = tank();
    const output = await score(
      depthDetector(20, 20),
      [quantity('Dose'), quantity('Dose', { material: 2 }), quantity('tLET'), quantity('tLET', { material: 2 })],
      {
        physics: { ...base.physics, ...SLOWING_DOWN_ONLY },
        materials: [...base.materials, { name: 'air', icru: 104 }],
      },
    );
    for (const bin of [0, 8]) {
      const middle = WATER.energyOfRange(PROTON, WATER.csdaRange(PROTON, 150) - bin - 0.5);
      const ratio = air.stoppingPower(PROTON, middle) / WATER.stoppingPower(PROTON, middle);
      expect((values(output, 1)[bin] ?? 0) / (values(output, 0)[bin] ?? 1) / ratio).toBeCloseTo(1, 3);
      expect((values(output, 3)[bin] ?? 0) / (values(output, 2)[bin] ?? 1) / ratio / 0.00120479).toBeCloseTo(1, 2);
    }
  });

  it('hold the scale for presentation, outside the sums', async () => {
    const output = await score(ALL, [quantity('Energy'), quantity('Energy', { scale: 1e6 })], {}, 20);
    expect(output.pages[1]?.scale).toBe(1e6);
    expect(output.pages[1]?.moments).toEqual(output.pages[0]?.moments);
  });
});

describe('detectors', () => {
  it('of rings, slices, mesh and zone hold the same energy and track length', async () => {
    const rings: Detector = {
      ...depthDetector(20, 10),
      type: 'cylinder',
      name: 'rings',
      radialSegments: 7,
    };
    const mesh: Detector = {
      type: 'mesh',
      name: 'mesh',
      centerCm: [0, 0, 10],
      sizeCm: [10, 10, 20],
      segments: [9, 7, 5],
    };
    const detectors: Detector[] = [depthDetector(20, 10), rings, mesh, { type: 'zone', name: 'zone', zone: 0 }];
    const problem: TransportProblem = {
      ...tank(),
      detectors,
      outputs: detectors.map((_, i) => ({
        name: String(i),
        detector: i,
        quantities: [quantity('Energy'), quantity('Fluence')],
      })),
    };
    const output = await simulate(problem, task(300));
    const energies = detectors.map((_, i) => sum(valuesOf(output, findPage(output, String(i), 'Energy'))));
    // a heavy fragment deposits 1e-3 MeV within the overshoot of a surface
    for (const energy of energies) expect(energy).toBeCloseTo(energies[0] ?? 0, 5);
    const lengths = detectors.map((_, i) => {
      const fluence = valuesOf(output, findPage(output, String(i), 'Fluence'));
      if (i === 3) return fluence[0] ?? 0;
      if (i === 2) return (sum(fluence) * 2000) / (9 * 7 * 5);
      const width = i === 0 ? 5 : 5 / 7;
      return fluence.reduce((total, value, bin) => {
        const ring = i === 0 ? 0 : bin % 7;
        return total + value * Math.PI * width ** 2 * ((ring + 1) ** 2 - ring ** 2) * 2;
      }, 0);
    });
    expect(lengths[1]).toBeCloseTo(lengths[0] ?? 0, 8);
    // a surface is met to within 1e-7 cm
    expect(lengths[3]).toBeCloseTo(lengths[0] ?? 0, 6);
    // the mesh also holds the corners outside the tank
    expect(lengths[2]).toBeGreaterThanOrEqual((lengths[0] ?? 0) - 1e-8);
  });

  it('show the zones, materials and densities of the geometry', async () => {
    const mesh: Detector = {
      type: 'mesh',
      name: 'mesh',
      centerCm: [0, 0, 10],
      sizeCm: [13, 1, 24],
      segments: [13, 1, 12],
    };
    const output = await score(mesh, [quantity('ZONE'), quantity('MATERIAL'), quantity('Rho')], {}, 2);
    expect(output.pages.map(({ kind }) => kind)).toEqual(['map', 'map', 'map']);
    const middle = 6 + 13 * 6;
    expect([0, 1, 2].map((i) => values(output, i)[middle])).toEqual([1, 276, 1]);
    // beside the tank: the world zone, vacuum
    expect([0, 1, 2].map((i) => values(output, i)[13 * 6])).toEqual([2, 1000, 0]);
  });

  it('show only axes of more than one bin', async () => {
    const line: Detector = {
      type: 'mesh',
      name: 'line',
      centerCm: [0, 0, 10],
      sizeCm: [1, 1, 20],
      segments: [1, 1, 40],
    };
    const output = await score(
      line,
      [quantity('Dose'), quantity('Fluence', { modifiers: [axis('E', 0, 160, 16)] })],
      {},
      20,
    );
    expect(output.pages.map(({ axes }) => axes.map(({ name, unit }) => `${name} ${unit}`))).toEqual([
      ['z cm'],
      ['z cm', 'E MeV'],
    ]);
    expect(output.pages[0]?.axes[0]?.centers.slice(0, 2)).toEqual([0.25, 0.75]);
  });
});
