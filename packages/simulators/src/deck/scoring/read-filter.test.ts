import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { filterSchema } from '../../project/filter.js';
import { upgradeProject } from '../../project/upgrade/upgrade-project.js';
import { createConversionReport } from '../conversion-report.js';
import { readFilter } from './read-filter.js';

const PATH = '/scoringManager/filters/0';

function read(json: object, simulator = 'common') {
  const report = createConversionReport();
  const filters = [{ uuid: 'f', name: 'F', ...json }];
  const upgraded = upgradeProject({ project: { simulator }, scoringManager: { filters } }, () => undefined);
  const { scoringManager } = z
    .object({ scoringManager: z.object({ filters: z.tuple([filterSchema]) }) })
    .parse(upgraded);
  const [filter] = scoringManager.filters;
  if (filter.variant === 'unfinished') throw new Error(filter.fault.message);
  return { filter: readFilter(filter, PATH, report), refused: report.items.map(({ path }) => path) };
}

function readRules(...rules: readonly (readonly [string, string, number])[]) {
  return read({ rules: rules.map(([keyword, operator, value]) => ({ keyword, operator, value })) });
}

function ofEnergies(low: number, high: number) {
  return { kineticEnergyLow: low, kineticEnergyHigh: high, kineticEnergyUnit: 'GeV' };
}

describe('readFilter', () => {
  it.each([
    [
      [
        ['Z', '==', 6],
        ['A', '==', 12],
      ],
      { particles: { type: 'species', species: [{ name: 'nucleus (Z=6, A=12)', z: 6, a: 12 }] } },
    ],
    [[['Z', '==', 6]], { particles: { type: 'isotopes', z: 6, a: 0 } }],
    [[['A', '==', 3]], { particles: { type: 'isotopes', z: 0, a: 3 } }],
    [[['Z', '==', 0]], { particles: { type: 'neutral' } }],
    [[['Z', '!=', 0]], { particles: { type: 'charged' } }],
    [
      [
        ['Z', '!=', 0],
        ['Z', '==', 2],
      ],
      { particles: { type: 'isotopes', z: 2, a: 0 } },
    ],
    [[['ID', '==', 2]], { particles: { type: 'species', species: [{ name: 'proton', z: 1, a: 1 }] } }],
    [
      [
        ['E', '>', 5],
        ['E', '>=', 7],
        ['E', '<', 20],
      ],
      { energyMev: { low: 7, high: 20 } },
    ],
    [
      [
        ['ENUC', '>=', 10],
        ['ENUC', '<', 100],
        ['Z', '==', 2],
        ['A', '==', 4],
      ],
      {
        particles: { type: 'species', species: [{ name: 'nucleus (Z=2, A=4)', z: 2, a: 4 }] },
        energyMev: { low: 40, high: 400 },
      },
    ],
    [[['E', '>', 5]], { energyMev: { low: 5, high: Number.POSITIVE_INFINITY } }],
    [[], {}],
  ] as const)('reads the rules %j', (rules, expected) => {
    expect(readRules(...rules)).toEqual({ filter: expected, refused: [] });
  });

  it.each([
    [[['Z', '>=', 1]], [`${PATH}/rules/0`]],
    [
      [
        ['GEN', '==', 0],
        ['ENUC', '<', 3],
      ],
      [`${PATH}/rules/0`, `${PATH}/rules/1`],
    ],
    [
      [
        ['Z', '==', 1],
        ['Z', '==', 2],
      ],
      [`${PATH}/rules/1`],
    ],
    [[['Z', '==', 1.5]], [`${PATH}/rules/0`]],
    [
      [
        ['E', '>', 5],
        ['E', '<', 5],
      ],
      [`${PATH}/rules`],
    ],
    [
      [
        ['Z', '==', 0],
        ['Z', '!=', 0],
      ],
      [`${PATH}/rules`],
    ],
    [
      [
        ['Z', '!=', 0],
        ['A', '==', 3],
      ],
      [`${PATH}/rules`],
    ],
    [
      [
        ['ID', '==', 2],
        ['Z', '==', 1],
      ],
      [`${PATH}/rules`],
    ],
    [[['ID', '==', 99]], [`${PATH}/rules/id`]],
    [[['Z', '==', -1]], [`${PATH}/rules`]],
  ] as const)('refuses the rules %j, naming all of them', (rules, refused) => {
    const found = readRules(...rules);
    expect(found.filter).toBeUndefined();
    expect([...new Set(found.refused)]).toEqual(refused);
  });

  it('reads particles by the list of the project', () => {
    const photon = { particle: { id: 3 } };
    expect(read(photon).filter).toMatchObject({ particles: { species: [{ name: 'negative pion' }] } });
    expect(read(photon, 'geant4').filter).toMatchObject({ particles: { species: [{ name: 'photon' }] } });
    expect(read({ particle: { id: 77 } })).toEqual({ filter: undefined, refused: [`${PATH}/particle/id`] });
  });

  it('reads the five kinds of Geant4 projects', () => {
    const particleTypes = [{ id: 4 }, { id: 5 }];
    const species = [
      { name: 'electron', z: -1, a: 0 },
      { name: 'positron', z: 1, a: 0 },
    ];
    const of = (filterType: string, data: object) => read({ filterType, data }, 'geant4');
    expect(of('charged', {}).filter).toEqual({ particles: { type: 'charged' } });
    expect(of('neutral', {}).filter).toEqual({ particles: { type: 'neutral' } });
    expect(of('particle', { particleTypes }).filter).toEqual({ particles: { type: 'species', species } });
    expect(of('kineticEnergy', ofEnergies(1, 2)).filter).toEqual({ energyMev: { low: 1000, high: 2000 } });
    expect(of('particleWithKineticEnergy', { particleTypes, ...ofEnergies(0, 2) }).filter).toEqual({
      particles: { type: 'species', species },
      energyMev: { low: 0, high: 2000 },
    });
    expect(of('particle', { particleTypes: [] }).refused).toEqual([`${PATH}/data/particleTypes`]);
    expect(of('particle', { particleTypes: [{ id: 4 }, { id: 40 }] }).refused).toEqual([
      `${PATH}/data/particleTypes/1/id`,
    ]);
    expect(of('kineticEnergy', ofEnergies(2, 2)).refused).toEqual([`${PATH}/data/kineticEnergyHigh`]);
  });
});
