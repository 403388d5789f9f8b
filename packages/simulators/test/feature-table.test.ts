import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConversionError } from '../src/conversion-error.js';
import { HIDDEN_VALUES } from '../src/project/hidden-values.js';
import { readProject } from '../src/project/read-project.js';
import { findDriver } from '../src/registry.js';
import { SIM_TYPES, type SimType } from '../src/sim-type.js';
import {
  buildProject,
  detector,
  figure,
  geometry,
  IDS,
  type Json,
  material,
  output,
  quantity,
  zone,
} from './build-project.js';

/** What docs/simulators.md says of a feature: converted, warned or refused. */
type Outcome = 'c' | 'w' | 'r';
type Feature = readonly [name: string, changes: Json, outcomes: string];

const EXECUTABLES = new Map(SIM_TYPES.map((simType) => [simType, '']));
const BASE_WARNINGS = new Map(SIM_TYPES.map((simType) => [simType, codesOf(simType, {})]));

function codesOf(simType: SimType, changes: Json): string[] {
  const { warnings } = findDriver(simType, 'editor', EXECUTABLES).convert(readProject(buildProject(changes)));
  return warnings.map(({ code }) => code);
}

function outcomeOf(simType: SimType, changes: Json): Outcome {
  try {
    const codes = codesOf(simType, changes);
    return codes.some((code) => BASE_WARNINGS.get(simType)?.includes(code) === false) ? 'w' : 'c';
  } catch (err) {
    if (err instanceof ConversionError && err.reason === 'PROJECT_UNSUPPORTED') return 'r';
    throw err;
  }
}

const WORLD = '/zoneManager/worldZone';
const ONE = '/scoringManager/outputs/1';
const union = (...uuids: string[]) => uuids.map((objectUuid) => [{ mode: 'union', objectUuid }]);
const scored = (keyword: string, more: Json = {}, detectorUuid: string = IDS.mesh): Json => ({
  [ONE]: output('o', 'one', detectorUuid, [{ ...quantity('q', 'One', keyword), ...more }]),
});
const inZone: Json = {
  '/detectorManager/detectors/2': detector('z', 'Zone', 'Zone', [0, 0, 0], { zoneUuid: IDS.waterZone }),
};
const everywhere: Json = { '/detectorManager/detectors/2': detector('z', 'All', 'All', [0, 0, 0], {}) };
const cube = (rotation: number[] = [0, 0, 0]): Json => ({
  '/detectorManager/detectors/2': {
    ...detector('z', 'Cube', 'Mesh', [0, 0, 5], {
      width: 2,
      height: 2,
      depth: 2,
      xSegments: 1,
      ySegments: 1,
      zSegments: 1,
    }),
    geometryData: {
      ...geometry('Mesh', [0, 0, 5], { width: 2, height: 2, depth: 2, xSegments: 1, ySegments: 1, zSegments: 1 }),
      rotation,
    },
  },
});
const axis = (diffType: string, lowerLimit = 30): Json => ({
  modifiers: [{ uuid: 'm', diffType, lowerLimit, upperLimit: 200, binsNumber: 20, isLog: false }],
});
const rules = (...list: readonly (readonly [string, string, number])[]): Json => ({
  '/scoringManager/filters/1': {
    uuid: 'f',
    name: 'F',
    rules: list.map(([keyword, operator, value]) => ({ uuid: keyword, keyword, operator, value })),
  },
});
const particle = (id: number, more: Json = {}): Json => ({
  '/scoringManager/filters/1': { uuid: 'f', name: 'F', particle: { id, ...more } },
});
const geant4 = (filterType: string, data: Json): Json => ({
  '/scoringManager/filters/1': { uuid: 'f', name: 'F', filterType, data },
});
const filtered = (keyword = 'Dose') => scored(keyword, { filter: 'f' });
const energies = { kineticEnergyLow: 1, kineticEnergyHigh: 20, kineticEnergyUnit: 'MeV' };
const worldFigure = (type: string, parameters: Json, rotation = [0, 0, 0]): Json => ({
  [`${WORLD}/geometryData`]: { ...geometry(type, [0, 0, 10], parameters), rotation },
});

const GEOMETRY: readonly Feature[] = [
  [
    'turned box',
    {
      '/zoneManager/zones/0/unionOperations': union(IDS.insert),
      '/figureManager/figures/1/geometryData/rotation': [10, 20, 30],
    },
    'cccc',
  ],
  [
    'sphere',
    { '/figureManager/figures/0': figure(IDS.tank, 'Ball', 'SphereGeometry', [0, 0, 10], { radius: 4 }) },
    'cccc',
  ],
  ['hollow cylinder as a detector', { '/detectorManager/detectors/0/geometryData/parameters/innerRadius': 2 }, 'ccrc'],
  ['hollow cylinder', { '/figureManager/figures/0/geometryData/parameters/innerRadius': 2 }, 'cccc'],
  [
    'subtraction',
    {
      '/zoneManager/zones/0/unionOperations': [
        [
          { mode: 'union', objectUuid: IDS.tank },
          { mode: 'subtraction', objectUuid: IDS.insert },
        ],
      ],
    },
    'cccc',
  ],
  [
    'intersection',
    {
      '/zoneManager/zones/0/unionOperations': [
        [
          { mode: 'union', objectUuid: IDS.tank },
          { mode: 'intersection', objectUuid: IDS.insert },
        ],
      ],
    },
    'cccc',
  ],
  [
    'reverse subtraction',
    {
      '/zoneManager/zones/0/unionOperations': [
        [
          { mode: 'union', objectUuid: IDS.insert },
          { mode: 'reverse-subtraction', objectUuid: IDS.tank },
        ],
      ],
    },
    'cccc',
  ],
  [
    'overlapping zones',
    {
      '/zoneManager/zones/1': zone('z2', 'Insert', IDS.pmma, union(IDS.insert, IDS.tank)),
      '/zoneManager/zones/0/unionOperations': union(IDS.insert),
    },
    'cccc',
  ],
  ['zone without figures', { '/zoneManager/zones/1': zone('z2', 'Nothing', IDS.pmma, []) }, 'wwww'],
  [
    'zone covered by an earlier one',
    { '/zoneManager/zones/1': zone('z2', 'Inside', IDS.pmma, union(IDS.insert)) },
    'wwwc',
  ],
  ['zone that reaches beyond the world', { '/figureManager/figures/0/geometryData/parameters/depth': 60 }, 'wwww'],
  ['hollow world', worldFigure('HollowCylinderGeometry', { radius: 6, innerRadius: 0.5, depth: 24 }), 'rrrr'],
  [
    'turned world',
    worldFigure('HollowCylinderGeometry', { radius: 40, innerRadius: 0, depth: 90 }, [10, 0, 0]),
    'cccc',
  ],
  ['beam outside the world', { '/beam/position': [0, 0, -50] }, 'rrrr'],
  ['CT cube', { '/specialComponentsManager/CTCube': { uuid: 'ct' } }, 'rrrr'],
];
const MATERIALS: readonly Feature[] = [
  ['density of a material', { '/materialManager/materials/0/density': 1.1 }, 'wwww'],
  ['density of a zone', { '/zoneManager/zones/0/materialPropertiesOverrides': { density: 1.1 } }, 'cccc'],
  ['graphite', { '/materialManager/materials/0': material(IDS.water, 'GRAPHITE', 906, 1.7) }, 'rccc'],
  ['black hole', { '/materialManager/materials/0': material(IDS.water, 'BLACK HOLE', 0, 0) }, 'cccc'],
  ['mean excitation energy', { '/materialManager/materials/0/averageIonisationPotential': 78 }, 'wccc'],
  ['stopping power table that no zone asks for', { '/physic/stoppingPowerTable': 'ICRU49' }, 'wwww'],
  [
    'attached stopping powers',
    {
      '/materialManager/materials/0/customStoppingPower': true,
      '/physic/availableStoppingPowerFiles': { 276: { icru: 276, name: 'Water.txt', content: '1 2\n' } },
    },
    'cwww',
  ],
  ['attached stopping powers without a file', { '/materialManager/materials/0/customStoppingPower': true }, 'wwww'],
];
const FROM_FILE = {
  '/beam/sourceType': 'file',
  '/beam/sourceFile': { name: 'plan.dat', value: '0.15 0 0 1 1\n' },
  '/beam/sigma': undefined,
};
const BEAM: readonly Feature[] = [
  ['neutrons', { '/beam/particle': { id: 1 } }, 'cccc'],
  ['carbon ions', { '/beam/particle': { id: 25, a: 12, z: 6 }, '/beam/energyUnit': 'MeV/nucl' }, 'cccc'],
  ['pions', { '/beam/particle': { id: 3 } }, 'cccc'],
  ['muons', { '/beam/particle': { id: 15 } }, 'cccc'],
  ['electrons', { '/beam/particle': { id: 26 } }, 'rccc'],
  ['energy limits that cut', { '/beam/energyLowCutoff': 149 }, 'crcc'],
  ['energy limits that the energy is outside of', { '/beam/energyLowCutoff': 160 }, 'crrr'],
  ['flat square', { '/beam/sigma': { type: 'Flat square', x: 1, y: 2 } }, 'cccc'],
  ['flat circular', { '/beam/sigma': { type: 'Flat circular', x: 0, y: 2 } }, 'cccc'],
  ['oblique direction', { '/beam/direction': [0.1, 0, 1] }, 'cccc'],
  ['equal divergence', { '/beam/divergence': { x: 2, y: 2, distanceToFocal: 0 } }, 'cccc'],
  ['unequal divergence', { '/beam/divergence': { x: 2, y: 3, distanceToFocal: 0 } }, 'crcc'],
  ['divergence with a focal distance', { '/beam/divergence': { x: 2, y: 2, distanceToFocal: 10 } }, 'crrc'],
  ['source-to-axis distance of a beam from no file', { '/beam/sad': { type: 'double', x: 200, y: 250 } }, 'wwww'],
  ['source file', FROM_FILE, 'crcc'],
  ['source-to-axis distance', { ...FROM_FILE, '/beam/sad': { type: 'double', x: 200, y: 250 } }, 'crcc'],
  [
    'range modulator',
    {
      '/specialComponentsManager/modulator': {
        geometryData: { geometryType: 'Zone', parameters: { zoneUuid: IDS.waterZone } },
        simulationMethod: 'modulus',
        sourceFile: { name: 'mod.dat', value: '1 2\n' },
      },
    },
    'crrr',
  ],
];
const PHYSICS: readonly Feature[] = [
  ['nuclear reactions off', { '/physic/enableNuclearReactions': false }, 'crrc'],
  ['straggling off', { '/physic/energyModelStraggling': 'no straggling' }, 'cccr'],
  ['scattering off', { '/physic/multipleScattering': 'no scattering' }, 'ccrr'],
  ['largest energy loss in a step', { '/physic/energyLoss': 0.05 }, 'cwww'],
  ['Gaussian straggling', { '/physic/energyModelStraggling': 'Gaussian' }, 'cwww'],
  ['Gaussian scattering', { '/physic/multipleScattering': 'Gaussian' }, 'cwww'],
];
const SCORING: readonly Feature[] = [
  ['mesh that reaches out of the world', { '/detectorManager/detectors/1/geometryData/parameters/width': 40 }, 'cccr'],
  [
    'fluence that reaches out of a turned world',
    {
      ...worldFigure('HollowCylinderGeometry', { radius: 40, innerRadius: 0, depth: 90 }, [10, 0, 0]),
      '/detectorManager/detectors/1/geometryData/parameters/width': 200,
      ...scored('Fluence'),
    },
    'ccwr',
  ],
  [
    'cylinder off the axis',
    {
      '/detectorManager/detectors/0/geometryData/position': [1, 0, 10],
      '/detectorManager/detectors/0/geometryData/parameters/radius': 3,
    },
    'rccc',
  ],
  ['energy in a zone', { ...inZone, ...scored('Energy', {}, 'z') }, 'cccc'],
  ['dose in a zone', { ...inZone, ...scored('Dose', {}, 'z') }, 'cccr'],
  ['fluence in a zone', { ...inZone, ...scored('Fluence', {}, 'z') }, 'cccr'],
  ['energy everywhere', { ...everywhere, ...scored('Energy', {}, 'z') }, 'cccc'],
  ['dose everywhere', { ...everywhere, ...scored('Dose', {}, 'z') }, 'cccr'],
  ['turned detector', { ...cube([0, 0, 30]), ...scored('Dose', {}, 'z') }, 'wwww'],
  ['DoseGy', scored('DoseGy'), 'cccc'],
  ['DDD', scored('DDD'), 'cccc'],
  ['energy', scored('Energy'), 'cccc'],
  ['LET', scored('dLET'), 'crrr'],
  ['mean energy', scored('AvgEnergy'), 'crrr'],
  ['quality factor', scored('dQ'), 'crrr'],
  ['map of zones', scored('ZONE'), 'crrr'],
  ['kerma medium at a dose', scored('Dose', { medium: 'WATER' }), 'wwww'],
  ['kerma', scored('NKERMA', { medium: 'WATER' }), 'crrr'],
  [
    'histogram',
    scored('KineticEnergySpectrum', {
      histogramNBins: 10,
      histogramMin: 30,
      histogramMax: 200,
      histogramUnit: 'MeV',
      histogramXScale: 'none',
      histogramXBinScheme: 'linear',
    }),
    'crwc',
  ],
  [
    'two axes',
    scored('Fluence', { modifiers: ['E', 'ANGLE'].flatMap((type) => axis(type).modifiers as Json[]) }),
    'crrr',
  ],
  ['spectrum in a mesh', scored('Fluence', axis('E')), 'crrc'],
  ['spectrum in a cube', { ...cube(), ...scored('Fluence', axis('E'), 'z') }, 'crcc'],
  ['spectrum in a zone', { ...inZone, ...scored('Fluence', axis('E'), 'z') }, 'ccrr'],
  ['spectrum of slow neutrons and others in a zone', { ...inZone, ...scored('Fluence', axis('E', 1), 'z') }, 'crrr'],
  [
    'spectrum of slow neutrons in a zone',
    { ...inZone, ...particle(1), ...scored('Fluence', { ...axis('E', 1), filter: 'f' }, 'z') },
    'cwrr',
  ],
  ['spectrum in another axis', { ...inZone, ...scored('Fluence', axis('ANGLE'), 'z') }, 'crrr'],
  ['rescale', scored('Dose', { rescale: 2 }), 'cccc'],
  ['absolute primaries', scored('Dose', { primaries: 1e9 }), 'cccc'],
  ['offset', scored('Dose', { offset: 1 }), 'cwww'],
  ['dose in another medium', scored('Dose', { materialUuid: IDS.pmma }), 'crrc'],
  ['format of files', { [`${ONE}/fileFormat`]: 'txt' }, 'wccc'],
  ['traces', { [`${ONE}/trace`]: true }, 'wwww'],
];
const FILTERS: readonly Feature[] = [
  ['particle', { ...particle(2), ...filtered() }, 'cccc'],
  ['pion', { ...particle(3), ...filtered() }, 'cccc'],
  ['heavy ion', { ...particle(25, { a: 12, z: 6 }), ...filtered() }, 'ccrc'],
  ['rules of a nucleus', { ...rules(['Z', '==', 2], ['A', '==', 4]), ...filtered() }, 'cccc'],
  ['rule of an id', { ...rules(['ID', '==', 4]), ...filtered() }, 'cccr'],
  ['rule of a charge', { ...rules(['Z', '==', 2]), ...filtered() }, 'ccrc'],
  ['charged', { ...rules(['Z', '!=', 0]), ...filtered() }, 'cccc'],
  ['neutral', { ...rules(['Z', '==', 0]), ...filtered() }, 'cccc'],
  ['energy', { ...rules(['E', '>', 5]), ...filtered() }, 'crcr'],
  ['energy of a nucleus', { ...rules(['E', '>', 5], ['Z', '==', 1], ['A', '==', 1]), ...filtered() }, 'crcr'],
  [
    'energy per nucleon of a nucleus',
    { ...rules(['ENUC', '>', 5], ['Z', '==', 2], ['A', '==', 4]), ...filtered() },
    'crcr',
  ],
  ['generation', { ...rules(['GEN', '==', 0]), ...filtered() }, 'crrc'],
  ['Geant4: charged', { ...geant4('charged', {}), ...filtered() }, 'cccc'],
  ['Geant4: one particle', { ...geant4('particle', { particleTypes: [{ id: 2 }] }), ...filtered() }, 'cccc'],
  [
    'Geant4: two particles',
    { ...geant4('particle', { particleTypes: [{ id: 2 }, { id: 1 }] }), ...filtered() },
    'rrcc',
  ],
  ['Geant4: energy', { ...geant4('kineticEnergy', energies), ...filtered() }, 'crcr'],
  [
    'Geant4: particle and energy',
    { ...geant4('particleWithKineticEnergy', { particleTypes: [{ id: 2 }], ...energies }), ...filtered() },
    'crcr',
  ],
];

describe.each([
  ['geometry', GEOMETRY],
  ['materials', MATERIALS],
  ['beam', BEAM],
  ['physics', PHYSICS],
  ['scoring', SCORING],
  ['filters', FILTERS],
])('the table of features, %s', (_, features) => {
  it.each(features)('%s', (_name, changes, outcomes) => {
    expect(SIM_TYPES.map((simType) => outcomeOf(simType, changes)).join('')).toBe(outcomes);
  });
});

describe('docs/simulators.md', () => {
  it('names every value that the editor does not always show', () => {
    const text = readFileSync(path.join(import.meta.dirname, '../../../docs/simulators.md'), 'utf8');
    const [, section = ''] = text.split('## What the editor does not show');
    for (const { pattern } of HIDDEN_VALUES) {
      const key = pattern.slice(pattern.lastIndexOf('/') + 1).replace(/^(histogram|kineticEnergy).*/, '$1');
      const place = pattern.startsWith('/physic') ? 'physic' : pattern.startsWith('/zoneManager/zones') ? 'zone' : key;
      expect(section).toContain(place === 'CTCube' ? 'CT cube' : place === 'worldZone' ? 'world' : place);
    }
  });
});
