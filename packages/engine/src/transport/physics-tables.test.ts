import { describe, expect, it } from '@jest/globals';

import { physicsTables } from './physics-tables.js';
import { createTransportModule } from './transport-module.js';

const PROTON = { z: 1, a: 1 };
const WATER = physicsTables({ name: 'water', icru: 276 });
const WATER90 = physicsTables({ name: 'water', icru: 276 }, 'icru90');
const ids = { air: 104, pmma: 223, al: 13, cu: 29, pb: 82 };
const tables = Object.fromEntries(Object.entries(ids).map(([name, icru]) => [name, physicsTables({ name, icru })]));

function table(name: string) {
  const found = tables[name];
  if (found === undefined) throw new Error(name);
  return found;
}

function expectWithin(value: number, reference: number, relative: number): void {
  expect(Math.abs(value / reference - 1)).toBeLessThanOrEqual(relative);
}

// Published and derived values of NIST SRD 124 (PSTAR, ASTAR) and ICRU 90; energies MeV, ranges g/cm².
const PROTON_RANGES = {
  water: [
    10, 0.123, 50, 2.227, 70, 4.08, 100, 7.718, 125, 11.46, 150, 15.77, 175, 20.62, 200, 25.96, 225, 31.74, 230, 32.95,
    250, 37.94, 300, 51.45, 400, 82.25,
  ],
  air: [10, 0.1409, 50, 2.529, 70, 4.629, 100, 8.747, 150, 17.86, 200, 29.37, 230, 37.27, 250, 42.9],
  pmma: [10, 0.1262, 50, 2.287, 70, 4.192, 100, 7.93, 150, 16.21, 200, 26.67, 230, 33.85, 250, 38.98],
  al: [10, 0.1706, 50, 2.929, 70, 5.327, 100, 10.01, 150, 20.32, 200, 33.31, 230, 42.21, 250, 48.56],
  cu: [10, 0.22, 50, 3.532, 70, 6.365, 100, 11.86, 150, 23.89, 200, 38.97, 230, 49.28, 250, 56.62],
  pb: [10, 0.353, 50, 5.059, 70, 8.985, 100, 16.52, 150, 32.85, 200, 53.12, 230, 66.91, 250, 76.7],
};
const WATER_RANGES_ICRU90 = [
  10, 0.1241, 50, 2.241, 70, 4.104, 100, 7.76, 150, 15.85, 200, 26.07, 230, 33.08, 250, 38.07,
];
const HELIUM_RANGES = [50, 2.241, 100, 7.763, 120, 10.72, 150, 15.86, 200, 26.1, 220, 30.71];
const CARBON_RANGES = [
  50, 0.755, 100, 2.6, 135, 4.411, 150, 5.302, 200, 8.709, 220, 10.24, 250, 12.71, 270, 14.46, 290, 16.28, 300, 17.22,
  350, 22.18, 400, 27.51, 430, 30.87,
];

// CSDA ranges of protons of 0.05, 0.1, 0.2, 0.5, 1, 2 MeV and of α particles of 0.5, 1, 2, 5.5, 8 MeV (PSTAR, ASTAR), g/cm²
const SLOW_RANGES = {
  water: [
    276,
    [9.935e-5, 1.607e-4, 2.966e-4, 8.869e-4, 2.458e-3, 7.555e-3],
    [3.699e-4, 5.931e-4, 1.123e-3, 4.344e-3, 7.842e-3],
  ],
  air: [
    104,
    [1.152e-4, 1.842e-4, 3.349e-4, 1.021e-3, 2.867e-3, 8.792e-3],
    [4.188e-4, 6.698e-4, 1.287e-3, 5.048e-3, 9.1e-3],
  ],
  PMMA: [
    223,
    [8.231e-5, 1.363e-4, 2.583e-4, 8.458e-4, 2.466e-3, 7.702e-3],
    [3.341e-4, 5.53e-4, 1.096e-3, 4.414e-3, 8.006e-3],
  ],
  polyethylene: [
    221,
    [7.271e-5, 1.192e-4, 2.273e-4, 7.353e-4, 2.145e-3, 6.761e-3],
    [2.596e-4, 4.333e-4, 8.915e-4, 3.797e-3, 6.974e-3],
  ],
  'cortical bone': [
    120,
    [1.123e-4, 1.82e-4, 3.357e-4, 1.036e-3, 2.911e-3, 8.912e-3],
    [4.063e-4, 6.672e-4, 1.297e-3, 5.095e-3, 9.184e-3],
  ],
  graphite: [
    906,
    [1.04e-4, 1.688e-4, 3.097e-4, 9.655e-4, 2.75e-3, 8.509e-3],
    [3.292e-4, 5.788e-4, 1.197e-3, 4.865e-3, 8.812e-3],
  ],
  aluminium: [
    13,
    [1.56e-4, 2.632e-4, 5.098e-4, 1.503e-3, 3.945e-3, 1.146e-2],
    [5.421e-4, 9.343e-4, 1.845e-3, 6.678e-3, 1.173e-2],
  ],
  silicon: [
    14,
    [1.373e-4, 2.308e-4, 4.588e-4, 1.439e-3, 3.835e-3, 1.12e-2],
    [5.286e-4, 8.944e-4, 1.767e-3, 6.487e-3, 1.143e-2],
  ],
  copper: [
    29,
    [4.064e-4, 6.517e-4, 1.13e-3, 2.752e-3, 6.373e-3, 1.692e-2],
    [1.297e-3, 2.019e-3, 3.509e-3, 1.054e-2, 1.745e-2],
  ],
  gold: [
    79,
    [9.567e-4, 1.448e-3, 2.346e-3, 5.47e-3, 1.247e-2, 3.148e-2],
    [2.664e-3, 3.974e-3, 6.655e-3, 1.971e-2, 3.207e-2],
  ],
  lead: [
    82,
    [9.144e-4, 1.365e-3, 2.154e-3, 4.983e-3, 1.183e-2, 3.091e-2],
    [2.263e-3, 3.513e-3, 6.156e-3, 1.921e-2, 3.162e-2],
  ],
  'sodium iodide': [
    252,
    [3.419e-4, 5.282e-4, 9.094e-4, 2.559e-3, 6.718e-3, 1.933e-2],
    [1.14e-3, 1.813e-3, 3.441e-3, 1.2e-2, 2.048e-2],
  ],
} as const;

const STOPPING_ENERGIES = [1, 2, 5, 10, 20, 50, 100, 150, 200, 250];
const STOPPING_POWERS = {
  water: [260.6, 158.5, 79.06, 45.64, 26.05, 12.443, 7.286, 5.443, 4.491, 3.91],
  pmma: [253.0, 154.5, 77.14, 44.5, 25.38, 12.115, 7.093, 5.298, 4.371, 3.805],
  al: [171.9, 109.4, 56.91, 33.75, 19.68, 9.59, 5.676, 4.261, 3.525, 3.075],
  cu: [118.3, 79.87, 44.16, 27.08, 16.19, 8.087, 4.85, 3.663, 3.041, 2.658],
  pb: [62.92, 45.34, 27.37, 17.78, 11.16, 5.804, 3.551, 2.713, 2.27, 1.996],
  air: [222.7, 137.0, 69.05, 40.04, 22.93, 10.982, 6.441, 4.815, 3.975, 3.461],
};
const HELIUM_STOPPING = [1, 1033.8, 2, 630.1, 5, 314.4, 10, 181.5, 20, 103.6, 50, 49.5, 100, 29.0, 200, 17.88];
const CARBON_STOPPING = [
  1, 6483, 2, 4815, 5, 2750, 10, 1606, 20, 923.3, 50, 443.4, 100, 260.9, 200, 161.5, 300, 126.6, 400, 109.0,
];

function pairs(list: readonly number[]): [number, number][] {
  return Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i] ?? 0, list[2 * i + 1] ?? 0]);
}

describe('CSDA ranges', () => {
  it.each(Object.entries(PROTON_RANGES))('of protons in %s agree with PSTAR', (name, list) => {
    const tolerance = name === 'cu' || name === 'pb' ? 0.005 : 0.002;
    const material = name === 'water' ? WATER : table(name);
    for (const [energy, range] of pairs(list)) expectWithin(material.csdaRange(PROTON, energy), range, tolerance);
  });

  it('of slow protons in water agree with PSTAR', () => {
    for (const [energy, range] of [
      [1, 2.458e-3],
      [5, 0.03623],
      [20, 0.426],
    ] as const) {
      expectWithin(WATER.csdaRange(PROTON, energy), range, 0.002 + 3e-5 / range);
    }
  });

  it.each(Object.entries(SLOW_RANGES))('of slow protons and α particles in %s agree within 3 %', (_, list) => {
    const [icru, protons, alphas] = list;
    const material = physicsTables({ name: '', icru });
    for (const [i, energy] of [0.05, 0.1, 0.2, 0.5, 1, 2].entries()) {
      expectWithin(material.csdaRange(PROTON, energy), protons[i] ?? 0, 0.03);
    }
    for (const [i, energy] of [0.5, 1, 2, 5.5, 8].entries()) {
      expectWithin(material.csdaRange({ z: 2, a: 4 }, energy), alphas[i] ?? 0, 0.03);
    }
  });

  it('of protons in water agree with ICRU 90 when that table is chosen', () => {
    for (const [energy, range] of pairs(WATER_RANGES_ICRU90))
      expectWithin(WATER90.csdaRange(PROTON, energy), range, 0.002);
  });

  it('of helium in water agree with ASTAR within 0.3 %', () => {
    for (const [energy, range] of pairs(HELIUM_RANGES))
      expectWithin(WATER.csdaRange({ z: 2, a: 4 }, 4 * energy), range, 0.003);
  });

  it('of carbon in water agree with ICRU 90 within 0.3 %', () => {
    for (const [energy, range] of pairs(CARBON_RANGES))
      expectWithin(WATER90.csdaRange({ z: 6, a: 12 }, 12 * energy), range, 0.003);
  });

  it('grow with energy and are undone by their inverse', () => {
    for (const [name, particle] of Object.entries({ proton: PROTON, helium: { z: 2, a: 4 }, neon: { z: 10, a: 20 } })) {
      let before = 0;
      for (let energy = 0.002; energy < 400; energy *= 1.013) {
        const range = WATER.csdaRange(particle, energy * particle.a);
        expect([name, range > before]).toEqual([name, true]);
        expectWithin(WATER.energyOfRange(particle, range), energy * particle.a, 1e-4);
        before = range;
      }
    }
  });

  it('rise by half a percent when the excitation energy of water goes from 75 to 78 eV', () => {
    const ratio = WATER90.csdaRange(PROTON, 150) / WATER.csdaRange(PROTON, 150);
    expect(ratio).toBeGreaterThan(1.004);
    expect(ratio).toBeLessThan(1.006);
  });
});

describe('stopping powers', () => {
  it.each(Object.entries(STOPPING_POWERS))('of protons in %s agree with PSTAR', (name, list) => {
    const material = name === 'water' ? WATER : table(name);
    for (const [i, energy] of STOPPING_ENERGIES.entries()) {
      const tolerance = name === 'water' && energy >= 5 ? 0.003 : 0.01;
      expectWithin(material.stoppingPower(PROTON, energy), list[i] ?? 0, tolerance);
    }
  });

  it('of helium in water agree with ASTAR', () => {
    for (const [energy, value] of pairs(HELIUM_STOPPING)) {
      expectWithin(WATER.stoppingPower({ z: 2, a: 4 }, 4 * energy), value, 0.01);
    }
  });

  it('of carbon in water agree with ICRU 90', () => {
    for (const [energy, value] of pairs(CARBON_STOPPING)) {
      expectWithin(WATER90.stoppingPower({ z: 6, a: 12 }, 12 * energy), value, energy < 10 ? 0.02 : 0.01);
    }
  });

  it('of slow protons and α particles are the tables: their maxima and the values there', () => {
    const maxima = [
      ['water', 1, 0.08, 824.1],
      ['pmma', 1, 0.08, 933.7],
      ['cu', 1, 0.1, 208.7],
      ['water', 4, 0.7, 2240],
      ['air', 4, 0.7, 2019],
    ] as const;
    for (const [name, a, energy, value] of maxima) {
      const material = name === 'water' ? WATER : table(name);
      expectWithin(material.stoppingPower(a === 1 ? PROTON : { z: 2, a }, energy), value, 0.01);
    }
  });

  it('of a compound without a table are the Bragg sum of its elements', () => {
    // uranium dioxide, 100 keV; elements by ICRU 49
    const [oxide, uranium, oxygen] = [272, 92, 8].map((icru) => physicsTables({ name: '', icru }));
    const value = oxide?.stoppingPower(PROTON, 0.1) ?? 0;
    const sum =
      0.881498 * (uranium?.stoppingPower(PROTON, 0.1) ?? 0) + 0.118502 * (oxygen?.stoppingPower(PROTON, 0.1) ?? 0);
    expectWithin(value, sum, 1e-4);
  });

  it.each([1, 2, 6])('of charge %i are positive and continuous where the models change', (z) => {
    const a = z === 1 ? 1 : 2 * z;
    for (const icru of [276, 223, 13, 29, 82, 104, 73, 118, 272]) {
      const material = physicsTables({ name: '', icru });
      let before = material.stoppingPower({ z, a }, 0.001 * a);
      for (let energy = 0.001; energy < 500; energy *= 1.02) {
        const value = material.stoppingPower({ z, a }, energy * a);
        expect([icru, energy, Math.abs(value / before - 1) < 0.02]).toEqual([icru, energy, true]);
        before = value;
      }
    }
  });

  it('scale with density only through the length, not per mass', () => {
    const dense = physicsTables({ name: 'dense water', icru: 276, densityGcm3: 2 });
    expect(dense.stoppingPower(PROTON, 100)).toBe(WATER.stoppingPower(PROTON, 100));
  });
});

describe('other tables', () => {
  it('give the radiation lengths of the Particle Data Group, the formula being good to 3 %', () => {
    for (const [icru, value] of [
      [276, 36.08],
      [6, 42.7],
      [13, 24.01],
      [26, 13.84],
      [29, 12.86],
      [74, 6.76],
      [82, 6.37],
    ] as const) {
      expectWithin(physicsTables({ name: '', icru }).radiationLength(), value, 0.03);
    }
  });

  it('give the Kox cross sections', () => {
    const module = createTransportModule();
    const list = [
      [6, 12, 6, 12, 964, 888, 873],
      [6, 12, 8, 16, 1092, 1013, 997],
      [2, 4, 6, 12, 598, 536, 523],
      [2, 4, 8, 16, 689, 624, 610],
    ] as const;
    for (const [zp, ap, zt, at, ...values] of list) {
      for (const [i, energy] of [83, 200, 300].entries()) {
        expectWithin(module.call('reactionCrossSection', zp, ap, zt, at, energy), values[i] ?? 0, 0.002);
      }
    }
  });

  it('give the loss rate of protons in water', () => {
    // non-elastic 0.986 %/cm at 150 MeV; with p–p and p–O elastic on top
    const hydrogen = 0.315 * 150 ** -1.126 + 3.78e-6 * 150;
    const oxygen = (0.888106 / 15.999) * 6.02214076e-4;
    expectWithin(WATER.nuclearSigma(PROTON, 150), oxygen * (295 + 159) + (hydrogen * 0.111894) / 0.1119, 0.01);
    expect(WATER.nuclearSigma(PROTON, 6)).toBe(0);
  });

  it('conserve energy and momentum in proton–proton collisions', () => {
    const module = createTransportModule();
    module.call('setGenerator', 1, 2, 3, 4);
    const mass = 938.27208816;
    for (const energy of [12, 70, 150, 250]) {
      const p = Math.sqrt(energy * (energy + 2 * mass));
      for (let trial = 0; trial < 200; trial++) {
        const [e1 = 0, x1 = 0, y1 = 0, z1 = 0, e2 = 0, x2 = 0, y2 = 0, z2 = 0] = Array.from({ length: 8 }, (_, i) =>
          module.call('elasticPair', energy, i),
        );
        expect(Math.abs(e1 + e2 - energy) / energy).toBeLessThan(1e-9);
        expect(Math.abs(z1 + z2 - p) / p).toBeLessThan(1e-9);
        expect(Math.hypot(x1 + x2, y1 + y2) / p).toBeLessThan(1e-7);
      }
    }
  });
});
