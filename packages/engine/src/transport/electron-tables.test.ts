import { describe, expect, it } from '@jest/globals';

import { listMaterials } from '../material/material-library.js';
import type { Physics } from '../problem/problem.js';
import { electronTables } from './electron-tables.js';

const ENERGIES = [1, 2, 5, 10, 20, 25];

/** NIST ESTAR (SRD 124): CSDA ranges, g/cm², of electrons of ENERGIES; collision and radiative stopping powers, MeV cm²/g, of 1, 10 and 20 MeV. */
const ESTAR: readonly [name: string, icru: number, ranges: number[], collision: number[], radiative: number[]][] = [
  ['water', 276, [0.4367, 0.9785, 2.55, 4.975, 9.32, 11.3], [1.849, 1.968, 2.046], [0.0128, 0.1816, 0.4086]],
  ['air', 104, [0.4912, 1.085, 2.74, 5.192, 9.447, 11.35], [1.661, 1.979, 2.134], [0.01271, 0.1795, 0.4042]],
  ['cortical bone', 120, [0.4857, 1.085, 2.795, 5.374, 9.85, 11.84], [1.659, 1.799, 1.874], [0.01824, 0.2476, 0.5525]],
];
/** The same of tungsten; only ranges were at hand. */
const TUNGSTEN = [0.7686, 1.613, 3.687, 6.211, 9.594, 10.84];

/** Collision stopping powers, MeV cm²/g (ICRU Report 90, tables A.2 and A.3). */
const ICRU90: readonly [name: string, icru: number, densityGcm3: number, values: [number, number][]][] = [
  [
    'water',
    276,
    0.998,
    [
      [0.01, 22.39],
      [0.1, 4.093],
      [1, 1.845],
      [10, 1.967],
    ],
  ],
  [
    'graphite',
    906,
    2.265,
    [
      [0.1, 3.654],
      [1, 1.606],
      [2, 1.586],
      [10, 1.729],
    ],
  ],
];

/** Total mass attenuation coefficients, cm²/g, coherent scattering included, MeV by MeV (Hubbell and Seltzer, NISTIR 5632). */
const ATTENUATION: readonly [name: string, icru: number, values: [number, number][], accepted: number][] = [
  [
    'water',
    276,
    [
      [0.1, 0.1707],
      [0.2, 0.137],
      [0.5, 0.09687],
      [1, 0.07072],
      [2, 0.04942],
      [5, 0.03031],
      [10, 0.02219],
      [20, 0.01813],
    ],
    0.025,
  ],
  [
    'aluminium',
    13,
    [
      [0.2, 0.1223],
      [0.5, 0.08445],
      [1, 0.06146],
      [2, 0.04324],
      [5, 0.02836],
      [10, 0.02318],
      [20, 0.02168],
    ],
    0.025,
  ],
  [
    'copper',
    29,
    [
      [0.5, 0.08362],
      [1, 0.05901],
      [2, 0.04205],
      [5, 0.03177],
      [10, 0.03103],
      [20, 0.03408],
    ],
    0.025,
  ],
  [
    'lead',
    82,
    [
      [0.2, 0.9985],
      [0.5, 0.1614],
      [1, 0.07102],
      [2, 0.04606],
      [5, 0.04272],
      [10, 0.04972],
      [20, 0.06206],
    ],
    0.065,
  ],
];

function relative(value: number, reference: number): number {
  return Math.abs(value / reference - 1);
}

describe('electrons', () => {
  it.each(ESTAR)(
    'of 1 to 25 MeV have the range and stopping powers of ESTAR in %s',
    (name, icru, ranges, collision, radiative) => {
      const tables = electronTables({ name, icru });
      for (const [i, energy] of ENERGIES.entries())
        expect(relative(tables.csdaRange(energy), ranges[i] ?? 0)).toBeLessThan(0.004);
      for (const [i, energy] of [1, 10, 20].entries()) {
        expect(relative(tables.collisionStoppingPower(energy), collision[i] ?? 0)).toBeLessThan(0.006);
        expect(relative(tables.radiativeStoppingPower(energy), radiative[i] ?? 0)).toBeLessThan(0.01);
      }
    },
  );

  it('have the ranges of ESTAR in a heavy metal, too', () => {
    const tables = electronTables({ name: 'tungsten', icru: 74 });
    for (const [i, energy] of ENERGIES.entries())
      expect(relative(tables.csdaRange(energy), TUNGSTEN[i] ?? 0)).toBeLessThan(0.004);
  });

  it.each(ICRU90)(
    'have the collision stopping powers of ICRU 90 in %s of its density',
    (name, icru, densityGcm3, values) => {
      const table: Physics['stoppingPowerTable'] = 'icru90';
      const tables = electronTables({ name, icru, densityGcm3 }, table);
      for (const [energy, reference] of values) {
        expect(relative(tables.collisionStoppingPower(energy), reference)).toBeLessThan(0.006);
      }
    },
  );

  it('have tables in every material: ranges that grow, stopping powers above zero', () => {
    for (const { name, icru } of listMaterials().filter((_, i) => i % 9 === 0)) {
      const tables = electronTables({ name, icru });
      let before = 0;
      for (let energy = 0.001; energy < 30; energy *= 2) {
        expect(tables.csdaRange(energy)).toBeGreaterThan(before);
        before = tables.csdaRange(energy);
        expect(tables.collisionStoppingPower(energy)).toBeGreaterThan(0);
        expect(tables.radiativeStoppingPower(energy)).toBeGreaterThan(0);
        expect(tables.attenuation(Math.max(0.01, energy))).toBeGreaterThan(0);
      }
    }
  });
});

describe('photons', () => {
  it.each(ATTENUATION)(
    'are attenuated in %s as XCOM has it, but for coherent scattering',
    (name, icru, values, accepted) => {
      const tables = electronTables({ name, icru });
      for (const [energy, reference] of values)
        expect(relative(tables.attenuation(energy), reference)).toBeLessThan(accepted);
    },
  );
});
