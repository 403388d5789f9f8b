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
} from '../build-project.js';

const rule = (keyword: string, operator: string, value: number): Json => ({ uuid: keyword, keyword, operator, value });
const filter = (uuid: string, ...rules: Json[]): Json => ({ uuid, name: uuid, rules });
const axis = (diffType: string, isLog: boolean): Json => ({
  uuid: diffType,
  diffType,
  lowerLimit: 0.1,
  upperLimit: 200,
  binsNumber: 50,
  isLog,
});
const energyFilter = (uuid: string, filterType: string, particleTypes: Json[]): Json => ({
  uuid,
  name: uuid,
  filterType,
  data: { particleTypes, kineticEnergyLow: 500, kineticEnergyHigh: 20_000, kineticEnergyUnit: 'keV' },
});
const withSimulator = (name: string): Json => ({ title: name, simulator: 'geant4' });

const ZONE = detector('in-zone', 'In the water', 'Zone', [0, 0, 0], { zoneUuid: IDS.waterZone });
const ALL = detector('all', 'Everywhere', 'All', [0, 0, 0], {});
const CUBE = detector('cube', 'Cube', 'Mesh', [0, 0, 5], {
  width: 2,
  height: 2,
  depth: 2,
  xSegments: 1,
  ySegments: 1,
  zSegments: 1,
});

/** A scored quantity for each filter. */
function selections(detectorUuid: string, keyword: string, filters: readonly Json[]): Json {
  const scored = filters.map(({ uuid }) => ({
    ...quantity(`${keyword} ${String(uuid)}`, `${keyword} ${String(uuid)}`, keyword),
    filter: uuid,
  }));
  return output(`${keyword} of ${detectorUuid}`, `${keyword} selected`, detectorUuid, scored);
}

const KINDS = [
  filter('proton', rule('Z', '==', 1), rule('A', '==', 1)),
  filter('carbon-11', rule('Z', '==', 6), rule('A', '==', 11)),
  filter('all-helium', rule('Z', '==', 2)),
  filter('mass-3', rule('A', '==', 3)),
  filter('charged', rule('Z', '!=', 0)),
  filter('neutral', rule('Z', '==', 0)),
  filter('pion', rule('ID', '==', 4)),
];
const NAMED = [
  { uuid: 'charged', name: 'charged', filterType: 'charged', data: { particleTypes: [] } },
  { uuid: 'neutral', name: 'neutral', filterType: 'neutral', data: { particleTypes: [] } },
  {
    uuid: 'leptons',
    name: 'leptons',
    filterType: 'particle',
    data: { particleTypes: [{ id: 4 }, { id: 5 }, { id: 7 }] },
  },
  energyFilter('slow', 'kineticEnergy', []),
  energyFilter('slow-alpha', 'particleWithKineticEnergy', [{ id: 6 }, { id: 2 }]),
];
const ENERGIES = [
  filter('fast', rule('E', '>', 10), rule('E', '>=', 5)),
  filter('slow-proton', rule('E', '<', 20), rule('Z', '==', 1), rule('A', '==', 1)),
];

const box = (uuid: string, name: string, position: number[], size: number): Json => ({
  ...figure(uuid, name, 'BoxGeometry', position, { width: size, height: size, depth: size }),
  simulationMaterial: { icru: 276, name: 'WATER', density: 1 },
});

const CHANGES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'selected-particles': {
    '/detectorManager/detectors/2': ZONE,
    '/scoringManager': {
      filters: KINDS,
      outputs: [selections(IDS.mesh, 'Fluence', KINDS), selections('in-zone', 'Dose', KINDS)],
    },
  },
  'selected-energies': {
    '/scoringManager': { filters: ENERGIES, outputs: [selections(IDS.mesh, 'Fluence', ENERGIES)] },
  },
  'named-filters': {
    '/project': withSimulator('Named filters'),
    '/zoneManager': undefined,
    '/figureManager/figures': [
      { ...box('world', 'World', [0, 0, 0], 40), children: [box('inner', 'Inner', [0, 0, 5], 8)] },
    ],
    '/scoringManager': { filters: NAMED, outputs: [selections(IDS.depth, 'DoseGy', NAMED)] },
    '/beam/particle': { id: 3, name: 'Photon' },
  },
  'spectra-in-zones': {
    '/detectorManager/detectors/2': ZONE,
    '/detectorManager/detectors/3': ALL,
    '/scoringManager': {
      filters: KINDS,
      outputs: [
        output('o1', 'zone', 'in-zone', [
          { ...quantity('q1', 'Protons', 'Fluence'), filter: 'proton', modifiers: [axis('E', true)] },
          { ...quantity('q2', 'Helium', 'Fluence'), filter: 'all-helium', modifiers: [axis('E', false)] },
          quantity('q3', 'Track length', 'Fluence'),
        ]),
        output('o2', 'all', 'all', [
          { ...quantity('q4', 'Spectrum', 'Fluence'), filter: 'charged', modifiers: [axis('E', true)] },
        ]),
      ],
    },
  },
  'spectra-per-nucleon': {
    '/detectorManager/detectors/2': ZONE,
    '/scoringManager/outputs/0': output('o1', 'zone', 'in-zone', [
      { ...quantity('q1', 'Spectrum', 'Fluence'), filter: IDS.protons, modifiers: [axis('ENUC', true)] },
    ]),
  },
  'spectrum-of-slow-neutrons': {
    '/detectorManager/detectors/2': ZONE,
    '/scoringManager/outputs/0': output('o1', 'zone', 'in-zone', [
      { ...quantity('q1', 'Spectrum', 'Fluence'), modifiers: [axis('E', true)] },
    ]),
  },
  'spectra-of-both-kinds': {
    '/detectorManager/detectors/2': ZONE,
    '/scoringManager/outputs/0': output('o1', 'zone', 'in-zone', [
      { ...quantity('q1', 'Per nucleon', 'Fluence'), filter: IDS.protons, modifiers: [axis('ENUC', true)] },
      { ...quantity('q2', 'Total', 'Fluence'), filter: IDS.protons, modifiers: [axis('E', true)] },
    ]),
  },
  'spectrum-in-cube': {
    '/detectorManager/detectors/2': CUBE,
    '/scoringManager/outputs/0': output('o1', 'cube', 'cube', [
      { ...quantity('q1', 'Spectrum', 'Fluence'), modifiers: [axis('E', true)] },
      quantity('q2', 'Dose', 'Dose'),
    ]),
  },
  'dose-in-zones': {
    '/detectorManager/detectors/2': ZONE,
    '/detectorManager/detectors/3': ALL,
    '/scoringManager/outputs': [
      output('o1', 'zone', 'in-zone', [
        { ...quantity('q1', 'Dose', 'Dose'), rescale: 2 },
        quantity('q2', 'Dose in Gy', 'DoseGy'),
        quantity('q3', 'Fluence', 'Fluence'),
      ]),
      output('o2', 'all', 'all', [
        quantity('q4', 'Dose', 'Dose'),
        quantity('q5', 'Fluence', 'Fluence'),
        { ...quantity('q6', 'Energy', 'Energy'), primaries: 1e6 },
      ]),
    ],
  },
  'oblique-spot': {
    '/beam/particle': { id: 25, name: 'Heavy ions', a: 16, z: 8 },
    '/beam/energyUnit': 'MeV/nucl',
    '/beam/energy': 300,
    '/beam/energySpread': 1,
    '/beam/direction': [3, 0, -4],
    '/beam/position': [-3, 0.5, 21],
    '/beam/divergence': { x: 2, y: 2, distanceToFocal: 0 },
  },
  'backward-pencil': {
    '/beam/direction': [0, 0, -2],
    '/beam/position': [0.1, 0, 21.5],
    '/beam/sigma': { type: 'Flat square', x: 0, y: 0 },
    '/beam/energySpread': 0,
    '/beam/particle': { id: 26, name: 'Electron' },
    '/physic/energyModelStraggling': 'no straggling',
    '/physic/energyLoss': 0.05,
  },
  'scattering-off': {
    '/physic/multipleScattering': 'no scattering',
    '/physic/energyModelStraggling': 'Gaussian',
    '/beam/sigma': { type: 'Flat circular', x: 0, y: 1 },
    '/beam/direction': [0, 1, 1],
    '/beam/position': [0, -4, 1],
  },
  'rare-materials': {
    '/figureManager/figures': [
      figure('a', 'A', 'SphereGeometry', [0, 0, 1], { radius: 0.5 }),
      figure('b', 'B', 'SphereGeometry', [0, 0, 3], { radius: 0.5 }),
      figure('c', 'C', 'SphereGeometry', [0, 0, 5], { radius: 0.5 }),
      figure('d', 'D', 'SphereGeometry', [0, 0, 7], { radius: 0.5 }),
    ],
    '/materialManager/materials': [
      material('selenium', 'SELENIUM', 34, 4.5),
      material('mylar', 'MYLAR', 222, 1.4),
      material('rilsan', 'NYLON, TYPE 11', 211, 1.425),
      material('carbide', 'URANIUM DICARBIDE', 270, 11.28),
      material(IDS.vacuum, 'VACUUM', 1000, 0),
      material(IDS.pmma, 'PMMA', 223, 1.19),
    ],
    '/zoneManager/zones': ['a', 'b', 'c', 'd'].map((uuid, index) =>
      zone(`z-${uuid}`, uuid.toUpperCase(), ['selenium', 'mylar', 'rilsan', 'carbide'][index] ?? '', [
        [{ mode: 'union', objectUuid: uuid }],
      ]),
    ),
    '/scoringManager/outputs': [output('o1', 'depth', IDS.depth, [quantity('q1', 'Dose', 'Dose')])],
  },
  'turned-world': {
    '/zoneManager/worldZone/geometryData': {
      ...geometry('BoxGeometry', [0, 0, 10], { width: 20, height: 30, depth: 30 }),
      rotation: [10, 20, 30],
    },
    '/scoringManager/outputs/0/quantities/1/keyword': 'Fluence',
    '/detectorManager/detectors/0/geometryData/parameters/depth': 40,
  },
  'overlapping-tree': {
    '/project': withSimulator('Figures out of their parents'),
    '/zoneManager': undefined,
    '/figureManager/figures': [
      {
        ...box('world', 'World', [0, 0, 0], 40),
        children: [
          { ...box('one', 'One', [0, 0, 5], 8), children: [box('out', 'Out', [3, 0, 0], 4)] },
          { ...box('two', 'Two', [2, 2, 8], 8), simulationMaterial: { icru: 82, name: 'LEAD', density: 11.35 } },
        ],
      },
    ],
    '/scoringManager': { filters: [], outputs: [output('o1', 'depth', IDS.depth, [quantity('q1', 'Dose', 'DoseGy')])] },
  },
};

/** Projects with what only the decks of simB and simC can say: kinds of particles, spectra, scores in zones. */
export const SELECTION_PROJECTS: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(CHANGES).map(([name, changes]) => [name, buildProject(changes)]),
);
