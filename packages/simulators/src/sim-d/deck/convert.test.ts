import { describe, expect, it } from '@jest/globals';
import { buildProject, detector, figure, geometry, IDS, zone } from '../../../test/build-project.js';
import { ConversionError } from '../../conversion-error.js';
import { readProject } from '../../project/read-project.js';
import { convert } from './convert.js';

type Changes = Readonly<Record<string, unknown>>;

function refusalsOf(changes: Changes): readonly { path: string; message: string }[] {
  try {
    convert(readProject(buildProject(changes)));
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    expect(err.reason).toBe('PROJECT_UNSUPPORTED');
    return err.items;
  }
  return [];
}

function warningsOf(changes: Changes): string[] {
  return convert(readProject(buildProject(changes))).warnings.map(({ code }) => code);
}

function linesOf(changes: Changes): string[] {
  return (convert(readProject(buildProject(changes))).files['topas_config.txt'] ?? '').split('\n');
}

/** Two spheres, and a zone of what is in both but in no third one of its kind. */
const SPHERES = [
  figure('a', 'A', 'SphereGeometry', [-1, 0, 10], { radius: 2 }),
  figure('b', 'B', 'SphereGeometry', [1, 0, 10], { radius: 2 }),
];
const LENS = zone('lens', 'Lens', IDS.water, [
  [
    { mode: 'union', objectUuid: 'a' },
    { mode: 'intersection', objectUuid: 'b' },
  ],
]);
const QUANTITY = '/scoringManager/outputs/0/quantities/0';

describe('a deck of simD', () => {
  it.each<[string, Changes, string, string]>([
    [
      'a lens of two spheres',
      { '/figureManager/figures': SPHERES, '/zoneManager/zones': [LENS] },
      '/zoneManager/zones',
      'no nesting of bodies',
    ],
    [
      'a hollow world',
      {
        '/zoneManager/worldZone/geometryData': geometry('HollowCylinderGeometry', [0, 0, 10], {
          radius: 9,
          innerRadius: 1,
          depth: 24,
        }),
      },
      '/zoneManager/worldZone/geometryData',
      'a hollow world',
    ],
    [
      'a detector outside the world',
      { '/detectorManager/detectors/0/geometryData/parameters/radius': 50 },
      '/detectorManager/detectors/0',
      'must not reach outside',
    ],
    ['a beam outside the world', { '/beam/position': [0, 0, -50] }, '/beam/position', 'must be inside the world'],
    [
      'a focus of a flat beam',
      { '/beam/sigma': { type: 'Flat circular', x: 1, y: 1 }, '/beam/divergence': { x: 1, y: 1, distanceToFocal: 9 } },
      '/beam/divergence/distanceToFocal',
      'needs a Gaussian beam',
    ],
    [
      'energies that no limit leaves',
      { '/beam/energySpread': 1, '/beam/energyHighCutoff': 50 },
      '/beam/energyLowCutoff',
      'must not be more than',
    ],
    ['LET', { [`${QUANTITY}/keyword`]: 'dLET' }, `${QUANTITY}/keyword`, 'quantity "dLET"'],
    [
      'an axis in LET',
      { [`${QUANTITY}/modifiers`]: [{ diffType: 'DEDX', lowerLimit: 1, upperLimit: 2, binsNumber: 2 }] },
      `${QUANTITY}/modifiers/0/diffType`,
      'only E',
    ],
    [
      'a logarithmic axis',
      { [`${QUANTITY}/modifiers`]: [{ diffType: 'E', lowerLimit: 1, upperLimit: 2, binsNumber: 2, isLog: true }] },
      `${QUANTITY}/modifiers/0/isLog`,
      'logarithmic',
    ],
    [
      'dose in a zone',
      { '/detectorManager/detectors/0': detector(IDS.depth, 'Z', 'Zone', [0, 0, 0], { zoneUuid: IDS.waterZone }) },
      `${QUANTITY}/keyword`,
      'only Energy',
    ],
    [
      'a filter on energy',
      { '/scoringManager/filters/0/rules/0': { keyword: 'E', operator: '>', value: 5 } },
      '/scoringManager/filters/0/rules/0',
      'E > 5',
    ],
    [
      'two rules of one kind',
      {
        '/scoringManager/filters/0/rules': [
          { keyword: 'Z', operator: '!=', value: 1 },
          { keyword: 'Z', operator: '!=', value: 2 },
        ],
      },
      '/scoringManager/filters/0',
      'two rules of one kind',
    ],
    [
      'straggling that is off',
      { '/physic/energyModelStraggling': 'no straggling' },
      '/physic/energyModelStraggling',
      'cannot be switched off',
    ],
  ])('is refused for %s', (_name, changes, path, message) => {
    const refusals = refusalsOf(changes);
    expect(refusals.map((item) => item.path)).toContain(path);
    expect(refusals.map((item) => item.message).join('; ')).toContain(message);
  });

  it('is refused for more detectors than the navigators reach', () => {
    const detectors = Array.from({ length: 20 }, (_, index) =>
      detector(`d${index}`, `D${index}`, 'Mesh', [0, 0, 10], {
        width: 1,
        height: 1,
        depth: 1,
        xSegments: 1,
        ySegments: 1,
        zSegments: 1,
      }),
    );
    const outputs = detectors.map(({ uuid }, index) => ({
      uuid: `o${index}`,
      name: `o${index}`,
      detectorUuid: uuid,
      quantities: [{ uuid: `q${index}`, name: 'q', keyword: 'Dose' }],
    }));
    const refusals = refusalsOf({ '/detectorManager/detectors': detectors, '/scoringManager/outputs': outputs });
    expect(refusals).toEqual([
      {
        path: '/detectorManager/detectors',
        message: expect.stringContaining('at most 14 are possible: 20 for detectors'),
      },
    ]);
  });

  it('says what it leaves to the simulator', () => {
    expect(warningsOf({})).toEqual([]);
    expect(warningsOf({ '/physic/multipleScattering': 'Gaussian' })).toEqual(['PHYSICS_MODEL_UNUSED']);
    expect(warningsOf({ '/physic/energyLoss': 0.01 })).toEqual(['STEP_LENGTH_UNUSED']);
    expect(warningsOf({ '/materialManager/materials/0/customStoppingPower': true })).toEqual([
      'STOPPING_POWER_FILE_UNUSED',
    ]);
  });

  it.each([
    [{ id: 25, a: 12, z: 6 }, 'GenericIon(6,12)'],
    [{ id: 25, a: 2, z: 1 }, 'deuteron'],
    [{ id: 24, a: 4, z: 2 }, 'alpha'],
    [{ id: 26 }, 'e-'],
    [{ id: 7 }, 'anti_proton'],
  ])('calls the particle %j %s', (particle, name) => {
    expect(linesOf({ '/beam/particle': particle })).toContain(`s:So/Beam/BeamParticle = "${name}"`);
  });

  it('lets no name of the project write a parameter of its own', () => {
    const hostile = 'x"\ni:Ts/Seed = 7 # \\ /';
    const changes = {
      '/project/title': hostile,
      '/figureManager/figures/0/name': hostile,
      '/detectorManager/detectors/0/name': hostile,
      '/scoringManager/outputs/0/name': hostile,
      '/scoringManager/outputs/0/quantities/0/name': hostile,
      '/scoringManager/filters/0/name': hostile,
      '/materialManager/materials/0/name': hostile,
      '/materialManager/materials/0/sanitizedName': hostile,
    };
    const lines = linesOf(changes);
    expect(lines.filter((line) => line.includes('Ts/Seed'))).toEqual(['i:Ts/Seed = 1']);
    expect(lines).toHaveLength(linesOf({}).length);
    for (const line of lines) expect(line).toMatch(/^$|^(d|u|i|b|s|dv|uv|sv):[\w/]+ = [^#\\]+$/);
  });
});
