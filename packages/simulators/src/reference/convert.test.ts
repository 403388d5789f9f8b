import { describe, expect, it } from '@jest/globals';
import type { TransportProblem } from '@tally/engine';
import { buildProject, detector, figure, IDS, type Json, output, quantity, zone } from '../../test/build-project.js';
import { ConversionError } from '../conversion-error.js';
import type { Conversion } from '../driver.js';
import { readProject } from '../project/read-project.js';
import { convert } from './convert.js';

type Changes = Readonly<Record<string, unknown>>;

function convertWith(changes: Changes): Conversion {
  return convert(readProject(buildProject(changes)), 'simA');
}

function problemWith(changes: Changes): TransportProblem {
  return JSON.parse(convertWith(changes).files['problem.json'] ?? '') as TransportProblem;
}

function refusalsOf(changes: Changes): readonly { path: string; message: string }[] {
  try {
    convertWith(changes);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    expect(error.reason).toBe('PROJECT_UNSUPPORTED');
    return error.items;
  }
  return [];
}

const DOSE = '/scoringManager/outputs/0/quantities/0';
const FILTER = '/scoringManager/filters/0';

describe('beam', () => {
  it('keeps energies in MeV and multiplies energies per nucleon by the mass number', () => {
    expect(problemWith({}).beam).toMatchObject({
      particle: { name: 'proton', z: 1, a: 1 },
      positionCm: [0, 0, -1],
      energyMev: 150,
      energySpreadMev: 1.5,
      energyHighCutoffMev: 1000,
    });
    const carbon = {
      '/beam/particle': { id: 25, name: 'Heavy ions', a: 12, z: 6 },
      '/beam/energyUnit': 'MeV/nucl',
      '/beam/energy': 270,
      '/beam/energySpread': 0.5,
      '/beam/energyLowCutoff': 1,
    };
    expect(problemWith(carbon).beam).toMatchObject({
      particle: { z: 6, a: 12 },
      energyMev: 3240,
      energySpreadMev: 6,
      energyLowCutoffMev: 12,
      energyHighCutoffMev: 12_000,
    });
  });

  it.each([
    [
      { type: 'Gaussian', x: -0.1, y: 0.2 },
      { type: 'gaussian', sigmaXCm: 0.1, sigmaYCm: 0.2 },
    ],
    [
      { type: 'Flat square', x: 1, y: -2 },
      { type: 'flat-square', halfXCm: 1, halfYCm: 2 },
    ],
    [
      { type: 'Flat circular', x: 9, y: -3 },
      { type: 'flat-circular', radiusCm: 3 },
    ],
  ])('of sigma %j has the shape %j', (sigma, shape) => {
    expect(problemWith({ '/beam/sigma': sigma }).beam.shape).toEqual(shape);
  });

  it('carries divergence in mrad and direction as it is given', () => {
    const divergence = { x: 3, y: 4, distanceToFocal: 100 };
    expect(problemWith({ '/beam/divergence': divergence, '/beam/direction': [0, 3, 4] }).beam).toMatchObject({
      direction: [0, 3, 4],
      divergence: { xMrad: 3, yMrad: 4, distanceToFocalCm: 100 },
    });
  });

  it('whose cut-offs leave no energy is refused, before it would draw energies for ever', () => {
    expect(refusalsOf({ '/beam/energyHighCutoff': 140 }).map((item) => item.path)).toEqual(['/beam/energy']);
    expect(refusalsOf({ '/beam/energyHighCutoff': 145 })).toEqual([]);
    expect(refusalsOf({ '/beam/energyLowCutoff': 1000 }).map((item) => item.path)).toEqual(['/beam/energyLowCutoff']);
  });

  it('from an empty file, or of an unknown particle, is refused', () => {
    expect(refusalsOf({ '/beam/sourceType': 'file' }).map((item) => item.path)).toEqual(['/beam/sourceFile/value']);
    expect(refusalsOf({ '/beam/particle': { id: 99 } })).toContainEqual({
      path: '/beam/particle/id',
      message: 'no particle has the id 99',
    });
    expect(refusalsOf({ '/beam/particle': { pdg: 2224 } })).toContainEqual({
      path: '/beam/particle/pdg',
      message: 'no particle has the number 2224',
    });
  });
});

describe('physics', () => {
  it("is mapped one to one, but for the tables of stopping powers, which are the simulator's", () => {
    expect(problemWith({}).physics).toEqual({
      energyLossFraction: 0.03,
      straggling: 'vavilov',
      scattering: 'moliere',
      nuclearReactions: true,
      stoppingPowerTable: 'icru49',
    });
    expect(refusalsOf({ '/physic/energyLoss': 0.6 }).map((item) => item.path)).toEqual(['/physic/energyLoss']);
    const off = {
      energyLoss: 0.01,
      enableNuclearReactions: false,
      energyModelStraggling: 'no straggling',
      multipleScattering: 'no scattering',
      stoppingPowerTable: 'ICRU49',
    };
    expect(problemWith({ '/physic': off }).physics).toEqual({
      energyLossFraction: 0.01,
      straggling: 'none',
      scattering: 'none',
      nuclearReactions: false,
      stoppingPowerTable: 'icru49',
    });
  });
});

describe('geometry', () => {
  it('keeps figures with centre, full size and rotation, zones by index, and the world behind them', () => {
    const problem = problemWith({ '/figureManager/figures/1/geometryData/rotation': [10, 20, 30] });
    expect(problem.figures).toEqual([
      {
        name: 'Tank',
        shape: { type: 'cylinder', innerRadiusCm: 0, radiusCm: 5, depthCm: 20 },
        centerCm: [0, 0, 10],
        rotationDeg: [0, 0, 0],
      },
      {
        name: 'Insert',
        shape: { type: 'box', sizeCm: [2, 3, 4] },
        centerCm: [0, 0, 5],
        rotationDeg: [10, 20, 30],
      },
      {
        name: 'World',
        shape: { type: 'cylinder', innerRadiusCm: 0, radiusCm: 6, depthCm: 24 },
        centerCm: [0, 0, 10],
        rotationDeg: [0, 0, 0],
      },
    ]);
    expect(problem.zones).toEqual([{ name: 'Water', material: 0, terms: [[{ mode: 'union', figure: 0 }]] }]);
    expect(problem.world).toEqual({ figure: 2, material: 1 });
  });

  it('keeps hollow cylinders, spheres and the four boolean modes', () => {
    const sphere = figure('sphere', 'Ball', 'SphereGeometry', [1, 2, 3], { radius: 1 });
    const term = ['union', 'intersection', 'subtraction', 'reverse-subtraction'].map((mode, index) => ({
      mode,
      objectUuid: [IDS.tank, IDS.insert, 'sphere', IDS.tank][index],
    }));
    const problem = problemWith({
      '/figureManager/figures/2': sphere,
      '/figureManager/figures/0/geometryData/parameters/innerRadius': 1,
      '/zoneManager/zones/0/unionOperations': [term, [{ mode: 'union', objectUuid: 'sphere' }]],
    });
    expect(problem.figures[0]?.shape).toMatchObject({ innerRadiusCm: 1 });
    expect(problem.figures[2]).toMatchObject({ shape: { type: 'sphere', radiusCm: 1 }, centerCm: [1, 2, 3] });
    expect(problem.zones[0]?.terms).toEqual([
      [
        { mode: 'union', figure: 0 },
        { mode: 'intersection', figure: 1 },
        { mode: 'subtraction', figure: 2 },
        { mode: 'reverse-subtraction', figure: 0 },
      ],
      [{ mode: 'union', figure: 2 }],
    ]);
  });

  it('leaves out a zone without figures, with a warning, and keeps the others in place', () => {
    const changes = {
      '/zoneManager/zones': [
        zone('empty', 'Empty', IDS.pmma, [[]]),
        zone(IDS.waterZone, 'Water', IDS.water, [[{ mode: 'union', objectUuid: IDS.tank }]]),
      ],
      '/detectorManager/detectors/1': detector(IDS.mesh, 'Zone', 'Zone', [0, 0, 0], { zoneUuid: IDS.waterZone }),
    };
    expect(problemWith(changes).detectors[1]).toEqual({ type: 'zone', name: 'Zone', zone: 0 });
    expect(convertWith(changes).warnings).toEqual([
      { code: 'ZONE_EMPTY', message: 'zone "Empty" has no figures and is left out' },
    ]);
    const scored = { ...changes, '/detectorManager/detectors/1/geometryData/parameters/zoneUuid': 'empty' };
    expect(refusalsOf(scored)).toEqual([
      {
        path: '/detectorManager/detectors/1/geometryData/parameters/zoneUuid',
        message: 'must refer to a zone that has a volume',
      },
    ]);
  });

  it('calculates a world that the project leaves to be calculated: all figures, rotated, times the margin', () => {
    const problem = problemWith({
      '/figureManager/figures/0/geometryData/rotation': [0, 90, 0],
      '/zoneManager/worldZone/autoCalculate': true,
      '/zoneManager/worldZone/marginMultiplier': { x: 1.5, y: 2, z: 1 },
      '/zoneManager/worldZone/geometryData': undefined,
    });
    // The cylinder of radius 5 and length 20 now lies along x about (0, 0, 10); the box is inside.
    expect(problem.figures[2]?.shape).toEqual({
      type: 'box',
      sizeCm: [30, 20, 12].map((size) => expect.closeTo(size, 9)),
    });
    expect(problem.figures[2]?.centerCm).toEqual([0, 0, 9].map((centre) => expect.closeTo(centre, 9)));
  });

  it('without a world is refused', () => {
    expect(refusalsOf({ '/zoneManager/worldZone': null })[0]?.path).toBe('/zoneManager/worldZone');
    expect(refusalsOf({ '/zoneManager/worldZone/geometryData/parameters/radius': 0 })).toEqual([
      { path: '/zoneManager/worldZone/geometryData', message: 'must have a size, or autoCalculate must be true' },
    ]);
  });
});

describe('Geant4 projects', () => {
  const child: Json = {
    ...figure('child', 'Tank', 'BoxGeometry', [0, 0, 10], { width: 10, height: 10, depth: 20 }),
    simulationMaterial: { icru: 276, name: 'WATER', sanitized_name: 'water', density: 1, geant4_name: 'G4_WATER' },
  };
  const grandchild = figure('grandchild', 'Hole', 'SphereGeometry', [0, 1, 2], { radius: 1 });
  const geant4 = (rotation: number[]): Changes => {
    const placed = { ...(child.geometryData as object), rotation };
    const world = figure('world-figure', 'World', 'BoxGeometry', [1, 0, 0], { width: 50, height: 50, depth: 50 });
    return {
      '/project/simulator': 'geant4',
      '/zoneManager': undefined,
      '/figureManager/figures': [{ ...world, children: [{ ...child, geometryData: placed, children: [grandchild] }] }],
    };
  };

  it('become one zone per figure, the deepest first, in the first figure as the world', () => {
    const problem = problemWith(geant4([0, 0, 0]));
    expect(problem.world).toEqual({ figure: 0, material: expect.any(Number) });
    expect(problem.materials[problem.world.material]).toEqual({ name: 'vacuum', icru: 1000 });
    expect(problem.zones.map(({ name, material }) => [name, problem.materials[material]?.icru])).toEqual([
      ['Hole', 1000],
      ['Tank', 276],
    ]);
    expect(problem.figures.map(({ name, centerCm }) => [name, centerCm])).toEqual([
      ['World', [1, 0, 0]],
      ['Tank', [1, 0, 10]],
      ['Hole', [1, 1, 12]],
    ]);
  });

  it('say which figures have no material', () => {
    const { warnings } = convertWith(geant4([0, 0, 0]));
    expect(warnings.map(({ code, message }) => [code, /"(.*)"/.exec(message)?.[1]])).toEqual([
      ['MATERIAL_MISSING', 'Hole'],
      ['MATERIAL_MISSING', 'World'],
    ]);
  });

  it('turn children with their parent', () => {
    const problem = problemWith(geant4([90, 0, 0]));
    expect(problem.figures[2]?.centerCm).toEqual([1, -2, 11].map((centre) => expect.closeTo(centre, 12)));
    expect(problem.figures[2]?.rotationDeg).toEqual([90, 0, 0].map((angle) => expect.closeTo(angle, 12)));
  });

  it('read particle ids by their own list, and their spectra as differential fluence', () => {
    const spectrum = {
      ...quantity('spectrum', 'Spectrum', 'KineticEnergySpectrum'),
      histogramNBins: 50,
      histogramMin: 1,
      histogramMax: 2000,
      histogramUnit: 'keV',
      histogramXScale: 'none',
      histogramXBinScheme: 'log',
    };
    const problem = problemWith({
      ...geant4([0, 0, 0]),
      [DOSE]: spectrum,
      '/beam/particle': { id: 6 },
      '/beam/energy': 400,
    });
    expect(problem.beam.particle).toEqual({ name: 'helium-4', z: 2, a: 4 });
    expect(problem.outputs[0]?.quantities[0]).toMatchObject({
      keyword: 'KineticEnergySpectrum',
      modifiers: [{ type: 'E', lower: 0.001, upper: 2, bins: 50, log: true }],
    });
  });

  it('with a figure beside the world are refused', () => {
    const figures = [...(geant4([0, 0, 0])['/figureManager/figures'] as unknown[]), child];
    expect(
      refusalsOf({ ...geant4([0, 0, 0]), '/figureManager/figures': [figures[0], { ...child, uuid: 'other' }] }),
    ).toEqual([{ path: '/figureManager/figures/1', message: 'figure "Tank" must be inside the first one, the world' }]);
  });

  it('and only they nest figures: elsewhere figures in figures are no part of any zone', () => {
    const { warnings } = convertWith({ '/figureManager/figures/0/children': [grandchild] });
    expect(warnings.map(({ code }) => code)).toEqual(['HIDDEN_VALUE_UNUSED']);
  });
});

describe('materials', () => {
  it('are listed once each, with no density but the table of the engine', () => {
    expect(problemWith({}).materials).toEqual([
      { name: 'WATER, LIQUID', icru: 276 },
      { name: 'VACUUM', icru: 1000 },
    ]);
  });

  it('of a zone are changed by its overrides, apart from the same material elsewhere', () => {
    const changes = {
      '/zoneManager/zones/1': {
        ...zone('dense', 'Dense', IDS.water, [[{ mode: 'union', objectUuid: IDS.insert }]]),
        materialPropertiesOverrides: { density: 1.3, averageIonisationPotential: 80 },
      },
    };
    const problem = problemWith(changes);
    expect(problem.zones.map((one) => problem.materials[one.material])).toEqual([
      { name: 'WATER, LIQUID', icru: 276 },
      { name: 'WATER, LIQUID', icru: 276, densityGcm3: 1.3, ionisationEv: 80 },
    ]);
  });

  it('that are custom count only together with overrides', () => {
    const custom = { uuid: 'custom', originalMaterialUuid: IDS.pmma, name: 'Heavy PMMA', icru: 223, density: 1.5 };
    const path = '/zoneManager/zones/0';
    const changes = { [`${path}/materialUuid`]: 'custom', [`${path}/customMaterial`]: custom };
    const withOverrides = problemWith({ ...changes, [`${path}/materialPropertiesOverrides`]: { density: 1.6 } });
    expect(withOverrides.materials[0]).toEqual({ name: 'Heavy PMMA', icru: 223, densityGcm3: 1.6 });
    const without = problemWith({ ...changes, [`${path}/materialPropertiesOverrides`]: undefined });
    expect(without.materials[0]).toEqual({ name: 'PMMA', icru: 223 });
  });

  it("with attached stopping powers are taken with the engine's own tables, and a warning", () => {
    const { warnings } = convertWith({ '/materialManager/materials/0/customStoppingPower': true });
    expect(warnings.map((warning) => warning.code)).toEqual(['STOPPING_POWER_FILE_UNUSED']);
  });

  it.each([0, 1.2, 1000])('are those of the table where %d g/cm³ stands with them, with a warning', (density) => {
    const { warnings, files } = convertWith({ '/materialManager/materials/0/density': density });
    expect(JSON.parse(files['problem.json'] ?? '')).toMatchObject({ materials: problemWith({}).materials });
    expect(warnings).toEqual([
      { code: 'MATERIAL_DENSITY_UNUSED', message: expect.stringContaining(`the density ${density} g/cm³`) },
    ]);
  });

  it('of no density are refused, where a zone overrides it', () => {
    expect(refusalsOf({ '/zoneManager/zones/0/materialPropertiesOverrides': { density: 0 } })).toEqual([
      { path: '/zoneManager/zones/0/materialUuid', message: 'the density of "WATER, LIQUID" must be more than 0' },
    ]);
  });
});

describe('scoring', () => {
  it('keeps outputs, quantities and their order, and says in the manifest what is what', () => {
    const { manifest, files } = convertWith({});
    expect(problemWith({}).outputs).toEqual([
      {
        name: 'depth',
        detector: 0,
        quantities: [
          { name: 'Dose', keyword: 'Dose', modifiers: [], scale: 1 },
          expect.objectContaining({ name: 'ProtonFluence', keyword: 'Fluence' }),
        ],
      },
      { name: 'mesh', detector: 1, quantities: [{ name: 'Dose', keyword: 'Dose', modifiers: [], scale: 1 }] },
    ]);
    expect(manifest).toEqual({
      driver: 'reference',
      estimators: [
        {
          name: 'depth',
          outputUuid: IDS.depthOutput,
          pages: [
            { pageNumber: 1, name: 'Dose', quantityUuid: IDS.dose, isAbsolute: false },
            { pageNumber: 2, name: 'ProtonFluence', quantityUuid: IDS.fluence, isAbsolute: false },
          ],
        },
        {
          name: 'mesh',
          outputUuid: IDS.meshOutput,
          pages: [{ pageNumber: 1, name: 'Dose', quantityUuid: IDS.meshDose, isAbsolute: false }],
        },
      ],
    });
    expect(JSON.parse(files['manifest.json'] ?? '')).toEqual(manifest);
  });

  it('keeps meshes, cylinders, zones, the world and everywhere as detectors, each once', () => {
    const changes = {
      '/detectorManager/detectors/2': detector('world-detector', 'Around', 'Zone', [0, 0, 0], { zoneUuid: IDS.world }),
      '/detectorManager/detectors/3': detector('all', 'Everywhere', 'All', [0, 0, 0], {}),
      '/scoringManager/outputs/2': output('o2', 'around', 'world-detector', [quantity('q2', 'E', 'Energy')]),
      '/scoringManager/outputs/3': output('o3', 'all', 'all', [quantity('q3', 'E', 'Energy')]),
      '/scoringManager/outputs/4': output('o4', 'again', IDS.depth, [quantity('q4', 'E', 'Energy')]),
      '/scoringManager/outputs/5': {
        ...output('o5', 'zone', IDS.depth, [quantity('q5', 'E', 'Energy')]),
        detectorUuid: undefined,
        zoneUuid: IDS.waterZone,
        scoringType: 'ZONE',
      },
    };
    const problem = problemWith(changes);
    expect(problem.detectors).toEqual([
      {
        type: 'cylinder',
        name: 'Depth',
        centerCm: [0, 0, 10],
        innerRadiusCm: 0,
        radiusCm: 5,
        depthCm: 20,
        radialSegments: 1,
        zSegments: 400,
      },
      { type: 'mesh', name: 'Mesh', centerCm: [0, 0, 10], sizeCm: [4, 0.5, 20], segments: [40, 1, 100] },
      { type: 'zone', name: 'Around', zone: 1 },
      { type: 'all', name: 'Everywhere' },
      { type: 'zone', name: 'zone', zone: 0 },
    ]);
    expect(problem.outputs.map((one) => one.detector)).toEqual([0, 1, 2, 3, 0, 4]);
  });

  it('keeps up to two differential axes', () => {
    const axis = { uuid: 'a', diffType: 'E', lowerLimit: 0.1, upperLimit: 200, binsNumber: 40, isLog: true };
    const other = { uuid: 'b', diffType: 'ANGLE', lowerLimit: 0, upperLimit: 90, binsNumber: 9, isLog: false };
    expect(problemWith({ [`${DOSE}/modifiers`]: [axis, other] }).outputs[0]?.quantities[0]?.modifiers).toEqual([
      { type: 'E', lower: 0.1, upper: 200, bins: 40, log: true },
      { type: 'ANGLE', lower: 0, upper: 90, bins: 9, log: false },
    ]);
  });

  it('multiplies rescale and number of primaries into one factor, for quantities per primary only', () => {
    const scaled = { [`${DOSE}/rescale`]: 1e-3, [`${DOSE}/primaries`]: 1e9 };
    expect(problemWith(scaled).outputs[0]?.quantities[0]?.scale).toBe(1e6);
    expect(refusalsOf({ ...scaled, [`${DOSE}/keyword`]: 'dLET' })).toContainEqual({
      path: `${DOSE}/rescale`,
      message: 'dLET cannot be scaled',
    });
  });

  it('refers dose and LET to the medium that the quantity names', () => {
    const problem = problemWith({ [`${DOSE}/materialUuid`]: IDS.pmma });
    const index = problem.outputs[0]?.quantities[0]?.material ?? -1;
    expect(problem.materials[index]).toEqual({ name: 'PMMA', icru: 223 });
    const energy = { [`${DOSE}/materialUuid`]: IDS.pmma, [`${DOSE}/keyword`]: 'Energy' };
    expect(convertWith(energy).warnings.map(({ code }) => code)).toEqual(['HIDDEN_VALUE_UNUSED']);
  });

  it.each([
    ['depth', 'depth_2'],
    ['', 'output_2'],
  ])('gives a second output named %j the name %s, with a warning', (name, expected) => {
    const { manifest, warnings } = convertWith({ '/scoringManager/outputs/1/name': name });
    expect(manifest.estimators.map((estimator) => estimator.name)).toEqual(['depth', expected]);
    expect(warnings.map((warning) => warning.code)).toEqual(['OUTPUT_RENAMED']);
  });

  it('leaves out an output without quantities with a warning, but refuses a project that scores nothing', () => {
    expect(convertWith({ '/scoringManager/outputs/1/quantities': [] }).warnings).toEqual([
      { code: 'OUTPUT_EMPTY', message: 'output "mesh" has no quantities and is left out' },
    ]);
    expect(refusalsOf({ '/scoringManager/outputs': [] })[0]?.path).toBe('/scoringManager/outputs');
  });

  it('warns of the rotation of a detector, which no simulator honours', () => {
    const { warnings } = convertWith({ '/detectorManager/detectors/0/geometryData/rotation': [0, 45, 0] });
    expect(warnings.map((warning) => warning.code)).toEqual(['DETECTOR_ROTATION_UNUSED']);
  });
});

describe('filters', () => {
  const rulesOf = (changes: Changes) => problemWith(changes).outputs[0]?.quantities[1]?.filter?.rules;
  const geant4 = (filterType: string, data: object): Changes => ({
    [FILTER]: { uuid: IDS.protons, name: 'filter', filterType, data },
  });

  it('of rules keep their rules', () => {
    expect(rulesOf({})).toEqual([
      { keyword: 'Z', operator: '==', value: 1 },
      { keyword: 'A', operator: '==', value: 1 },
    ]);
  });

  it('of one particle become its charge and mass', () => {
    const particle = (id: number): Changes => ({ [FILTER]: { uuid: IDS.protons, name: 'f', particle: { id } } });
    const rules = (z: number, a: number) => [
      { keyword: 'Z', operator: '==', value: z },
      { keyword: 'A', operator: '==', value: a },
    ];
    expect(rulesOf(particle(23))).toEqual(rules(2, 3));
    expect(rulesOf(particle(25))).toEqual(rules(6, 12));
    expect(rulesOf({ [FILTER]: { uuid: IDS.protons, name: 'f', particle: { id: 25, a: 16, z: 8 } } })).toEqual(
      rules(8, 16),
    );
  });

  it('of neutrons become their charge and mass; neutral particles are neutrons, with a warning', () => {
    const neutrons = { [FILTER]: { uuid: IDS.protons, name: 'f', particle: { id: 1 } } };
    expect(rulesOf(neutrons)).toEqual([
      { keyword: 'Z', operator: '==', value: 0 },
      { keyword: 'A', operator: '==', value: 1 },
    ]);
    expect(rulesOf(geant4('neutral', {}))).toEqual([{ keyword: 'Z', operator: '==', value: 0 }]);
    expect(convertWith(geant4('neutral', {})).warnings.map(({ code }) => code)).toEqual(['PHOTONS_NOT_FOLLOWED']);
  });

  it('that nothing can pass are refused where they are used', () => {
    const rules = (value: number) => [{ uuid: 'r', keyword: 'Z', operator: '==', value }];
    expect(refusalsOf({ [FILTER]: { uuid: IDS.protons, name: 'uranium', rules: rules(92) } })).toEqual([
      {
        path: expect.stringMatching('/quantities/1/filter$'),
        message: expect.stringContaining('no particle that is followed here'),
      },
    ]);
  });

  it.each([
    ['electrons', { [FILTER]: { uuid: IDS.protons, name: 'f', particle: { id: 26 } } }, `${FILTER}/particle`],
    ['pions', { [FILTER]: { uuid: IDS.protons, name: 'f', particle: { id: 3 } } }, `${FILTER}/particle`],
    ['nobody', { [FILTER]: { uuid: IDS.protons, name: 'f', particle: { id: 99 } } }, `${FILTER}/particle/id`],
    [
      'a list with a particle that is not followed',
      geant4('particle', { particleTypes: [{ id: 2 }, { id: 26 }] }),
      `${FILTER}/data/particleTypes/1`,
    ],
    ['no particle', geant4('particle', { particleTypes: [] }), `${FILTER}/data/particleTypes`],
    ['no energy', geant4('kineticEnergy', {}), `${FILTER}/data/kineticEnergyHigh`],
  ])('for %s are refused, not scored as zero', (_name, changes, path) => {
    expect(refusalsOf(changes).map((item) => item.path)).toEqual([path]);
  });
});

describe('what is probably not meant', () => {
  it('is warned of: a beam beside the world, a detector outside it', () => {
    const { warnings } = convertWith({
      '/beam/position': [50, 0, -5],
      '/detectorManager/detectors/1/geometryData/position': [90, 0, 0],
    });
    expect(warnings.map(({ code }) => code)).toEqual(['BEAM_MISSES_WORLD', 'DETECTOR_OUTSIDE_WORLD']);
  });
});

const FIRST = '/scoringManager/outputs/0/quantities/0';
const KERMA = quantity('q', 'Kerma', 'NKERMA');

describe('what the engine cannot do', () => {
  it.each([
    ['a medium of kerma', { [FIRST]: { ...KERMA, medium: 'WATER' } }, `${FIRST}/medium`, 'local medium'],
    ['a particle', { '/beam/particle': { id: 1, name: 'Neutron' } }, '/beam/particle', 'neutron'],
    ['an energy', { '/beam/energy': 2000, '/beam/energyHighCutoff': 3000 }, '/beam/energy', '2000 MeV per nucleon'],
    ['a material', { '/materialManager/materials/0/icru': 999 }, '/zoneManager/zones/0/materialUuid', 'WATER, LIQUID'],
    ['a quantity', { [`${DOSE}/keyword`]: 'Alanine' }, `${DOSE}/keyword`, 'Alanine'],
    [
      'an axis',
      { [`${DOSE}/modifiers`]: [{ diffType: 'SPIN', lowerLimit: 0, upperLimit: 1, binsNumber: 2 }] },
      `${DOSE}/modifiers/0`,
      'SPIN',
    ],
  ])('refuses %s of the project by name and by its place in the project', (_name, changes, path, named) => {
    expect(refusalsOf(changes)).toEqual([{ path, message: expect.stringContaining(named) }]);
  });

  it('is named all at once, each thing once', () => {
    const paths = refusalsOf({
      '/beam/sourceType': 'file',
      '/specialComponentsManager': {
        CTCube: { pathOnServer: 'x' },
        modulator: {
          geometryData: { geometryType: 'Zone', parameters: { zoneUuid: IDS.waterZone } },
          sourceFile: { name: 'wheel.dat', value: '1 2' },
        },
      },
      [`${DOSE}/keyword`]: 'NEqvDose',
      '/beam/particle': { id: 7, name: 'Antiproton' },
      [FILTER]: { uuid: IDS.protons, name: 'f', particle: { id: 3 } },
      '/scoringManager/outputs/1/quantities/0/filter': IDS.protons,
    }).map((item) => item.path);
    expect(paths.sort()).toEqual([
      '/beam/particle',
      '/beam/sourceFile/value',
      `${FILTER}/particle`,
      `${DOSE}/keyword`,
      '/specialComponentsManager/CTCube',
      '/specialComponentsManager/modulator',
    ]);
  });
});
