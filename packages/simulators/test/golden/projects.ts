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

/** Figures of every shape, hollow and turned. */
function turned(made: Json, rotation: readonly number[]): Json {
  return { ...made, geometryData: { ...(made.geometryData as Json), rotation } };
}

const BOX = figure('box', 'Box', 'BoxGeometry', [1, -2, 12], { width: 4, height: 3, depth: 2 });
const CYLINDER = figure('cylinder', 'Cylinder', 'HollowCylinderGeometry', [-1, 1, 6], {
  radius: 1.5,
  innerRadius: 0,
  depth: 5,
});
const PIPE = figure('pipe', 'Pipe', 'HollowCylinderGeometry', [0, 0, 10], { radius: 4, innerRadius: 2, depth: 16 });
const BALL = figure('ball', 'Ball', 'SphereGeometry', [2, 2, 8], { radius: 2 });

const union = (objectUuid: string): Json => ({ mode: 'union', objectUuid });
const minus = (objectUuid: string): Json => ({ mode: 'subtraction', objectUuid });
const meet = (objectUuid: string): Json => ({ mode: 'intersection', objectUuid });

const WATER_TANK = figure(IDS.tank, 'Tank', 'HollowCylinderGeometry', [0, 0, 10], {
  radius: 5,
  innerRadius: 0,
  depth: 20,
});

function outputsOf(...quantities: Json[]): Json[] {
  return [output(IDS.depthOutput, 'depth', IDS.depth, quantities)];
}

function rowOfBalls(count: number): Json[] {
  return Array.from({ length: count }, (_, index) =>
    figure(`ball-${index}`, `Ball ${index}`, 'SphereGeometry', [0, 0, 1 + 1.5 * index], { radius: 0.5 }),
  );
}

const SPECTRUM = {
  ...quantity('spectrum', 'Spectrum', 'KineticEnergySpectrum'),
  histogramNBins: 20,
  histogramMin: 0,
  histogramMax: 200,
  histogramUnit: 'MeV',
  histogramXScale: 'none',
  histogramXBinScheme: 'linear',
};
const ENERGY_AXIS = { uuid: 'axis-e', diffType: 'E', lowerLimit: 0, upperLimit: 200, binsNumber: 100, isLog: false };
const LET_AXIS = { uuid: 'axis-l', diffType: 'DEDX', lowerLimit: 0.1, upperLimit: 1000, binsNumber: 30, isLog: true };

const CHANGES = {
  'water-tank': {},
  'turned-figures': {
    '/figureManager/figures': [turned(BOX, [30, 0, 45]), turned(CYLINDER, [0, 90, 0]), BALL, WATER_TANK],
    '/zoneManager/zones': [
      zone('z1', 'Turned box', IDS.pmma, [[union('box')]]),
      zone('z2', 'Lying cylinder', IDS.pmma, [[union('cylinder')]]),
      zone('z3', 'Water', IDS.water, [[union(IDS.tank), minus('box'), minus('cylinder')]]),
    ],
    '/detectorManager/detectors/0/geometryData/rotation': [0, 45, 0],
  },
  'boolean-zones': {
    '/figureManager/figures': [BOX, CYLINDER, BALL, WATER_TANK],
    '/zoneManager/zones': [
      zone('z1', 'Common space', IDS.pmma, [
        [union('ball'), meet(IDS.tank)],
        [union('box'), minus('ball')],
      ]),
      zone('z2', 'Rest', IDS.water, [[union(IDS.tank), minus('box'), minus('ball')]]),
    ],
  },
  'overlapping-zones': {
    '/figureManager/figures': [
      figure('left', 'Left', 'BoxGeometry', [-1, 0, 10], { width: 4, height: 4, depth: 4 }),
      figure('right', 'Right', 'BoxGeometry', [1, 0, 10], { width: 4, height: 4, depth: 4 }),
      WATER_TANK,
    ],
    '/zoneManager/zones': [
      zone('z1', 'Left', IDS.pmma, [[union('left')]]),
      zone('z2', 'Right', IDS.water, [[union('right')]]),
      zone('z3', 'Covered', IDS.pmma, [[union('left'), meet('right')]]),
    ],
  },
  'hollow-cylinder': {
    '/figureManager/figures': [PIPE, WATER_TANK],
    '/zoneManager/zones': [
      zone('z1', 'Wall', IDS.pmma, [[union('pipe')]]),
      zone('z2', 'Water', IDS.water, [[union(IDS.tank), minus('pipe')]]),
    ],
  },
  'long-zone': {
    '/figureManager/figures': [...rowOfBalls(12), WATER_TANK],
    '/zoneManager/zones': [
      zone(
        'z1',
        'Balls',
        IDS.pmma,
        Array.from({ length: 12 }, (_, index) => [union(`ball-${index}`)]),
      ),
      zone('z2', 'Water', IDS.water, [
        [union(IDS.tank), ...Array.from({ length: 12 }, (_, index) => minus(`ball-${index}`))],
      ]),
    ],
  },
  'black-hole-world': {
    '/materialManager/materials': [
      material(IDS.water, 'WATER, LIQUID', 276, 1),
      material('hole', 'BLACK HOLE', 0, 0),
      material(IDS.pmma, 'PMMA', 223, 1.19),
    ],
    '/zoneManager/worldZone/materialUuid': 'hole',
    '/zoneManager/worldZone/geometryData': geometry('SphereGeometry', [0, 0, 10], { radius: 15 }),
    '/beam/position': [0, 0, 0],
  },
  'calculated-world': {
    '/zoneManager/worldZone/autoCalculate': true,
    '/zoneManager/worldZone/marginMultiplier': { x: 1.5, y: 1.5, z: 1.2 },
    '/zoneManager/worldZone/geometryData': undefined,
  },
  materials: {
    '/figureManager/figures': [BOX, BALL, CYLINDER, WATER_TANK],
    '/materialManager/materials': [
      material(IDS.water, 'WATER, LIQUID', 276, 0.9),
      material('air', 'AIR', 104, 0.00120479),
      material('lead', 'LEAD', 82, 11.35),
      material('glass', 'GLASS, LEAD', 170, 6.22),
    ],
    '/zoneManager/zones': [
      zone('z1', 'Lead', 'lead', [[union('box')]]),
      zone('z2', 'Glass', 'glass', [[union('ball')]]),
      {
        ...zone('z3', 'Dense air', 'dense', [[union('cylinder')]]),
        customMaterial: { ...material('dense', 'Dense air', 104, 0.00120479), originalMaterialUuid: 'air' },
        materialPropertiesOverrides: { density: 0.0024 },
      },
      zone('z4', 'Water', IDS.water, [[union(IDS.tank), minus('box'), minus('ball'), minus('cylinder')]]),
    ],
    '/zoneManager/worldZone/materialUuid': 'air',
    '/scoringManager/outputs/0/quantities/0/materialUuid': 'lead',
    '/physic/stoppingPowerTable': 'ICRU49',
  },
  'ionisation-potential': { '/materialManager/materials/0/averageIonisationPotential': 80 },
  'stopping-power-file': {
    '/materialManager/materials/0/customStoppingPower': true,
    '/physic/availableStoppingPowerFiles': {
      276: { icru: 276, name: 'Water.txt', content: 'energy dedx\n1.0 260.6\n' },
    },
  },
  'carbon-square': {
    '/beam/particle': { id: 25, name: 'Heavy ions', a: 12, z: 6 },
    '/beam/energyUnit': 'MeV/nucl',
    '/beam/energy': 270,
    '/beam/energySpread': 0.5,
    '/beam/sigma': { type: 'Flat square', x: 1.5, y: 2 },
    '/beam/divergence': { x: 2, y: 3, distanceToFocal: 0 },
    '/scoringManager/filters/0': { uuid: IDS.protons, name: 'Carbon', particle: { id: 25, a: 12, z: 6 } },
  },
  'helium-disk': {
    '/beam/particle': { id: 24, name: 'Helium-4', a: 4, z: 2 },
    '/beam/energyUnit': 'MeV',
    '/beam/energy': 600,
    '/beam/energySpread': 4,
    '/beam/sigma': { type: 'Flat circular', x: 0, y: 2.5 },
    '/scoringManager/filters/0': { uuid: IDS.protons, name: 'Alpha', particle: { id: 24 } },
  },
  'pion-oblique': {
    '/beam/particle': { id: 3, name: 'Pion -' },
    '/beam/direction': [1, -2, 3],
    '/beam/sigma': { type: 'Gaussian', x: -0.3, y: 0.4 },
    '/beam/divergence': { x: 5, y: 6, distanceToFocal: 50 },
    '/beam/sad': { type: 'double', x: 100, y: 200 },
    '/scoringManager/filters/0': { uuid: IDS.protons, name: 'Pion -', particle: { id: 3 } },
  },
  'cut-energy': {
    '/beam/energy': 140,
    '/beam/energySpread': 20,
    '/beam/energyLowCutoff': 130,
    '/beam/energyHighCutoff': 150,
    '/beam/sad': { type: 'single', x: 250, y: 0 },
  },
  detectors: {
    '/detectorManager/detectors': [
      detector(IDS.depth, 'Depth', 'Cyl', [0, 0, 10], {
        innerRadius: 0,
        radius: 4,
        depth: 20,
        radialSegments: 3,
        zSegments: 40,
      }),
      detector(IDS.mesh, 'Mesh', 'Mesh', [0.5, -0.5, 10], {
        width: 4,
        height: 3,
        depth: 20,
        xSegments: 4,
        ySegments: 5,
        zSegments: 10,
      }),
      detector('in-zone', 'In the water', 'Zone', [0, 0, 0], { zoneUuid: IDS.waterZone }),
      detector('all', 'Everywhere', 'All', [0, 0, 0], {}),
    ],
    '/scoringManager/outputs': [
      output('o1', 'depth', IDS.depth, [quantity('q1', 'Dose', 'DoseGy')]),
      output('o2', 'mesh', IDS.mesh, [quantity('q2', 'Fluence', 'Fluence'), quantity('q3', 'Energy', 'Energy')]),
      output('o3', 'zone', 'in-zone', [quantity('q4', 'Energy', 'Energy')]),
      output('o4', 'all', 'all', [quantity('q5', 'Energy', 'Energy')]),
      {
        uuid: 'o5',
        name: 'world',
        type: 'Output',
        scoringType: 'ZONE',
        zoneUuid: IDS.world,
        quantities: [quantity('q6', 'Energy', 'Energy')],
        trace: false,
      },
    ],
  },
  'hollow-detector': { '/detectorManager/detectors/0/geometryData/parameters/innerRadius': 1 },
  'off-axis-cylinder': { '/detectorManager/detectors/0/geometryData/position': [0.5, 0, 10] },
  quantities: {
    '/scoringManager/outputs': outputsOf(
      ...['AvgBeta', 'AvgEnergy', 'DDD', 'Dose', 'dLET', 'tLET', 'dQ', 'tQeff', 'dZ2Beta2', 'tZeff2Beta2'].map(
        (keyword, index) => quantity(`q${index}`, `Quantity_${index}`, keyword),
      ),
    ),
  },
  maps: {
    '/scoringManager/outputs': outputsOf(
      ...['MATERIAL', 'ZONE', 'Rho'].map((keyword, index) => quantity(`q${index}`, keyword, keyword)),
    ),
  },
  differential: {
    '/scoringManager/outputs': outputsOf(
      { ...quantity('q1', 'Spectrum', 'Fluence'), modifiers: [ENERGY_AXIS] },
      { ...quantity('q2', 'Fluence by energy and LET', 'Fluence'), modifiers: [ENERGY_AXIS, LET_AXIS] },
    ),
  },
  spectrum: { '/scoringManager/outputs': outputsOf(SPECTRUM) },
  'custom-filters': {
    '/scoringManager/filters': [
      {
        uuid: IDS.protons,
        name: 'Fast secondary',
        rules: [
          { uuid: 'r1', keyword: 'Z', operator: '>=', value: 1 },
          { uuid: 'r2', keyword: 'ENUC', operator: '>', value: 2.5 },
          { uuid: 'r3', keyword: 'GEN', operator: '!=', value: 0 },
        ],
      },
    ],
  },
  'generation-filter': {
    '/scoringManager/filters/0/rules': [
      { uuid: 'r1', keyword: 'GEN', operator: '==', value: 0 },
      { uuid: 'r2', keyword: 'Z', operator: '>', value: 0 },
      { uuid: 'r3', keyword: 'A', operator: '!=', value: 4 },
    ],
  },
  scaling: {
    '/scoringManager/outputs': outputsOf(
      { ...quantity('q1', 'Quantity_1', 'DoseGy'), primaries: 1e9 },
      { ...quantity('q2', 'Quantity', 'Dose'), rescale: 0.5 },
      { ...quantity('q3', 'In PMMA', 'Dose'), materialUuid: IDS.pmma, rescale: 2 },
    ),
  },
  'neutron-kerma': {
    '/scoringManager/outputs': outputsOf(
      { ...quantity('q1', 'Quantity_1', 'NKERMA'), medium: 'Muscule', offset: 1 },
      { ...quantity('q2', 'Equivalent', '1MeVNEq') },
    ),
  },
  'source-file': {
    '/beam/sourceType': 'file',
    '/beam/sourceFile': { name: 'plan.txt', value: '0.15 0.0 0.0 0.5 1000\n' },
    '/beam/sad': { type: 'double', x: 200, y: 250 },
  },
  'spot-list': {
    '/beam/position': [0, 0, -1.5],
    '/beam/numberOfParticles': 1000,
    '/beam/sourceType': 'file',
    '/beam/sad': { type: 'double', x: 200, y: 250 },
    '/beam/sourceFile': {
      name: 'plan.dat',
      value: [
        '*ENERGY(GEV) SigmaT0(GEV) X(CM) Y(CM) FWHMx(cm) FWHMy(cm) WEIGHT',
        '0.150000 0.00072 -1.00 0.50 0.94 0.64 7.5e+07',
        '0.120000 0.00070 1.00 0.00 0.96 0.66 2.5e+07',
        '0.120000 0.00070 0.00 0.00 0.96 0.66 1',
        '',
      ].join('\n'),
    },
  },
  modulator: {
    '/specialComponentsManager': {
      modulator: {
        geometryData: { geometryType: 'Zone', parameters: { zoneUuid: IDS.waterZone } },
        simulationMethod: 'sampling',
        interpretationMode: 'vacumm',
        sourceFile: { name: 'ripple filter.dat', value: '1 2 3\n' },
      },
    },
  },
  'physics-off': {
    '/physic': {
      energyLoss: 0.01,
      enableNuclearReactions: false,
      energyModelStraggling: 'no straggling',
      multipleScattering: 'no scattering',
      stoppingPowerTable: 'ICRU49',
    },
  },
  names: {
    '/project/title': 'Prüfung\nmit zwei Zeilen',
    '/figureManager/figures/0/name': 'Tank mit Wasser (groß) /1',
    '/detectorManager/detectors/0/name': 'Tiefe 1',
    '/detectorManager/detectors/1/name': 'Tiefe_1',
    '/scoringManager/outputs/0/name': 'Tiefe / Dosis',
    '/scoringManager/outputs/1/name': 'Tiefe / Dosis',
    '/scoringManager/filters/0/name': 'nur Protonen',
  },
  'figure-tree': {
    '/project/simulator': 'geant4',
    '/zoneManager': undefined,
    '/figureManager/figures': [
      {
        ...figure('world', 'World', 'BoxGeometry', [0, 0, 10], { width: 20, height: 20, depth: 40 }),
        simulationMaterial: { icru: 104, name: 'AIR', density: 0.00120479, geant4_name: 'G4_AIR' },
        children: [
          {
            ...turned(
              figure('phantom', 'Phantom', 'BoxGeometry', [1, 0, 2], { width: 8, height: 6, depth: 12 }),
              [0, 20, 0],
            ),
            simulationMaterial: { icru: 276, name: 'WATER', density: 1, geant4_name: 'G4_WATER' },
            children: [
              {
                ...turned(
                  figure('tube', 'Tube', 'HollowCylinderGeometry', [0, 1, 0], {
                    radius: 1,
                    innerRadius: 0.5,
                    depth: 4,
                  }),
                  [0, 0, 30],
                ),
                simulationMaterial: { icru: 82, name: 'LEAD', density: 11.35, geant4_name: 'G4_Pb' },
              },
            ],
          },
        ],
      },
    ],
    '/beam/particle': { id: 6, name: 'Alpha' },
    '/beam/energy': 600,
    '/scoringManager/filters/0': {
      uuid: IDS.protons,
      name: 'Protons',
      filterType: 'particle',
      data: { particleTypes: [{ id: 2, name: 'proton' }] },
    },
  },
  'custom-stopping-power': {
    '/zoneManager/zones/0/customMaterial': material(IDS.water, 'WATER, LIQUID', 276, 1),
    '/zoneManager/zones/0/materialPropertiesOverrides': { customStoppingPower: true },
    '/zoneManager/worldZone/materialUuid': IDS.water,
    '/physic/stoppingPowerTable': 'ICRU49',
  },
  'zone-beyond-world': { '/figureManager/figures/0/geometryData/parameters/depth': 60 },
  'particle-list': {
    '/scoringManager/filters/0': {
      uuid: IDS.protons,
      name: 'Hydrogen',
      filterType: 'particleWithKineticEnergy',
      data: {
        particleTypes: [
          { id: 2, name: 'Proton' },
          { id: 21, name: 'Deuteron' },
        ],
        kineticEnergyLow: 1,
        kineticEnergyHigh: 100,
        kineticEnergyUnit: 'MeV',
      },
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Projects that together have every feature of the editor; each simulator converts or refuses each of them. */
export const GOLDEN_PROJECTS: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(CHANGES).map(([name, changes]) => [name, buildProject(changes)]),
);
