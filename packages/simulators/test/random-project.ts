import fc from 'fast-check';
import { buildProject, detector, figure, IDS, type Json, output, zone } from './build-project.js';

const CENTRE_CM_MAX = 8;
const SIZE_CM_MAX = 8;

const centre = fc.tuple(coordinate(), coordinate(), coordinate());
const size = fc.double({ min: 0.01, max: SIZE_CM_MAX, noNaN: true });
/** Quarter turns and none are what users type, and where surfaces fall together. */
const angle = fc.oneof(fc.constantFrom(0, 0, 90, 180, -45), fc.double({ min: -180, max: 180, noNaN: true }));
const rotation = fc.tuple(angle, angle, angle);

/** Round numbers let surfaces touch; others do not. */
function coordinate(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: -CENTRE_CM_MAX, max: CENTRE_CM_MAX }),
    fc.double({ min: -CENTRE_CM_MAX, max: CENTRE_CM_MAX, noNaN: true }),
  );
}

const shape = fc.oneof(
  fc.tuple(size, size, size).map(([width, height, depth]) => ['BoxGeometry', { width, height, depth }] as const),
  fc
    .tuple(size, size, fc.constantFrom(0, 0, 0.5, 0.9))
    .map(
      ([radius, depth, hollow]) => ['HollowCylinderGeometry', { radius, depth, innerRadius: hollow * radius }] as const,
    ),
  size.map((radius) => ['SphereGeometry', { radius }] as const),
);

const figures = fc.array(fc.tuple(shape, centre, rotation), { minLength: 1, maxLength: 6 }).map((parts) =>
  parts.map(([[type, parameters], position, turned], index) => {
    const made = figure(`figure-${index}`, `Figure ${index}`, type, position, parameters);
    return { ...made, geometryData: { ...(made.geometryData as Json), rotation: turned } };
  }),
);

/** Water, air, PMMA, bone, lead, hydrogen gas, vacuum, black hole. */
const MATERIALS = [
  [276, 1],
  [104, 0.00120479],
  [223, 1.19],
  [119, 1.85],
  [82, 11.35],
  [1, 8.3748e-5],
  [1000, 0],
  [0, 0],
] as const;

const materials = MATERIALS.map(([icru, density]) => ({
  uuid: `material-${icru}`,
  name: `Material ${icru}`,
  icru,
  density,
}));
const materialUuid = fc.constantFrom(...materials.map(({ uuid }) => uuid));

function zones(figureCount: number): fc.Arbitrary<Json[]> {
  const objectUuid = fc.integer({ min: 0, max: figureCount - 1 }).map((index) => `figure-${index}`);
  const mode = fc.constantFrom('union', 'intersection', 'subtraction', 'reverse-subtraction');
  const term = fc
    .tuple(objectUuid, fc.array(fc.record({ mode, objectUuid }), { maxLength: 3 }))
    .map(([first, rest]) => [{ mode: 'union', objectUuid: first }, ...rest]);
  return fc
    .array(fc.tuple(materialUuid, fc.array(term, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 5 })
    .map((made) => made.map(([material, terms], index) => zone(`zone-${index}`, `Zone ${index}`, material, terms)));
}

/** Particle and the range of its energy per nucleon that the engine takes. */
const beam = fc
  .record({
    particle: fc.constantFrom(
      { id: 2, a: 1, z: 1 },
      { id: 21, a: 2, z: 1 },
      { id: 23, a: 3, z: 2 },
      { id: 24, a: 4, z: 2 },
      { id: 25, a: 12, z: 6 },
      { id: 25, a: 20, z: 10 },
    ),
    energy: fc.double({ min: 1, max: 400, noNaN: true }),
    spread: fc.constantFrom(0, 0.01, 0.2),
    position: centre,
    direction: fc.oneof(
      fc.constantFrom([0, 0, 1], [0, 0, -1], [1, 0, 0]),
      fc
        .tuple(coordinate(), coordinate(), coordinate())
        .filter((direction) => direction.some((component) => component !== 0)),
    ),
    sigma: fc.record({
      type: fc.constantFrom('Gaussian', 'Flat square', 'Flat circular'),
      x: fc.constantFrom(0, 0.3),
      y: fc.constantFrom(0, 0.5),
    }),
    divergence: fc.constantFrom({ x: 0, y: 0, distanceToFocal: 0 }, { x: 5, y: 10, distanceToFocal: 50 }),
    sad: fc.constantFrom({ type: 'none', x: 0, y: 0 }, { type: 'double', x: 100, y: 200 }),
  })
  .map(({ energy, spread, ...rest }) => ({
    ...rest,
    energyUnit: 'MeV/nucl',
    energy,
    energySpread: spread * energy,
    energyLowCutoff: 0.5,
    energyHighCutoff: 500,
    numberOfParticles: 40,
  }));

const physic = fc.record({
  energyLoss: fc.constantFrom(0.01, 0.03, 0.2),
  enableNuclearReactions: fc.boolean(),
  energyModelStraggling: fc.constantFrom('no straggling', 'Gaussian', 'Vavilov'),
  multipleScattering: fc.constantFrom('no scattering', 'Gaussian', 'Moliere'),
  stoppingPowerTable: fc.constantFrom('ICRU49', 'ICRU91'),
});

const DETECTORS = [
  detector('mesh', 'Mesh', 'Mesh', [0, 0, 0], {
    width: 9,
    height: 8,
    depth: 16,
    xSegments: 7,
    ySegments: 5,
    zSegments: 9,
  }),
  detector('cylinder', 'Cylinder', 'Cyl', [1, 0, 0], {
    innerRadius: 0.5,
    radius: 6,
    depth: 12,
    radialSegments: 4,
    zSegments: 30,
  }),
  detector('zone', 'Zone', 'Zone', [0, 0, 0], { zoneUuid: 'zone-0' }),
  detector('world', 'World', 'Zone', [0, 0, 0], { zoneUuid: IDS.world }),
  detector('all', 'All', 'All', [0, 0, 0], {}),
];

const KEYWORDS = [
  'Energy',
  'Dose',
  'DoseGy',
  'Fluence',
  'AvgEnergy',
  'AvgBeta',
  'dLET',
  'tLET',
  'dZ2Beta2',
  'tZeff2Beta2',
];
const AXES = [
  { uuid: 'e', diffType: 'E', lowerLimit: 0.1, upperLimit: 500, binsNumber: 12, isLog: true },
  { uuid: 'angle', diffType: 'ANGLE', lowerLimit: 0, upperLimit: 180, binsNumber: 6, isLog: false },
  { uuid: 'z', diffType: 'Z', lowerLimit: 0, upperLimit: 11, binsNumber: 11, isLog: false },
];
const FILTER_UUID = 'filter';
const SECONDARY_PROTONS = {
  uuid: FILTER_UUID,
  name: 'Secondary protons',
  rules: [
    { keyword: 'Z', operator: '==', value: 1 },
    { keyword: 'GEN', operator: '>=', value: 1 },
  ],
};
/** Where there are no reactions, there are no others; a filter that nothing can pass would be refused. */
const PRIMARIES = { uuid: FILTER_UUID, name: 'Primaries', rules: [{ keyword: 'GEN', operator: '==', value: 0 }] };

const quantities = fc.array(
  fc.record({
    keyword: fc.constantFrom(...KEYWORDS),
    filter: fc.constantFrom(undefined, FILTER_UUID),
    modifiers: fc.subarray(AXES, { maxLength: 2 }),
    rescale: fc.constant(undefined),
  }),
  { minLength: 1, maxLength: 4 },
);

const outputs = fc
  .array(fc.tuple(fc.constantFrom(...DETECTORS), quantities), { minLength: 1, maxLength: 3 })
  .map((made) =>
    made.map(([{ uuid }, scored], index) => {
      const named = scored.map((one, number) => ({
        ...one,
        uuid: `quantity-${index}-${number}`,
        name: `${one.keyword} ${number}`,
      }));
      return output(`output-${index}`, `Output ${index}`, String(uuid), named);
    }),
  );

const world = fc.record({ materialUuid: fc.constantFrom('material-1000', 'material-104', 'material-276') });

/** Sound projects of every feature that the reference engine takes: geometry at random, touching surfaces included. */
export const randomProject: fc.Arbitrary<Json> = figures.chain((made) =>
  fc.record({ zones: zones(made.length), beam, physic, outputs, world }).map((parts) =>
    buildProject({
      '/figureManager/figures': made,
      '/zoneManager/zones': parts.zones,
      '/zoneManager/worldZone/materialUuid': parts.world.materialUuid,
      '/zoneManager/worldZone/geometryData': {
        geometryType: 'BoxGeometry',
        position: [0, 0, 0],
        rotation: [0, 0, 0],
        parameters: { width: 40, height: 40, depth: 40 },
      },
      '/materialManager/materials': materials,
      '/detectorManager/detectors': DETECTORS,
      '/scoringManager': {
        outputs: parts.outputs,
        filters: [parts.physic.enableNuclearReactions ? SECONDARY_PROTONS : PRIMARIES],
      },
      '/beam': parts.beam,
      '/physic': parts.physic,
    }),
  ),
);
