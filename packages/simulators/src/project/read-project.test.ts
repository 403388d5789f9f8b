import { describe, expect, it } from '@jest/globals';
import { buildProject, detector, figure, IDS, output, quantity } from '../../test/build-project.js';
import { ConversionError } from '../conversion-error.js';
import { DEFAULT_PROJECT_LIMITS } from './limits.js';
import { readPrimaries, readProject, readTitle } from './read-project.js';

function errorOf(action: () => unknown): ConversionError {
  try {
    action();
  } catch (error) {
    if (error instanceof ConversionError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function faultsOf(changes: Readonly<Record<string, unknown>>): readonly { path: string; message: string }[] {
  const error = errorOf(() => readProject(buildProject(changes)));
  expect(error.reason).toBe('PROJECT_INVALID');
  return error.items;
}

describe('readProject', () => {
  it('keeps every value of a sound project that the editor shows, and every key it does not know', () => {
    const unseen = { '/beam/sad': undefined, '/beam/sourceFile': undefined };
    for (const output of [0, 1]) Object.assign(unseen, { [`/scoringManager/outputs/${output}/trace`]: undefined });
    const json = buildProject({ '/beam/colorHex': 255, '/novelty': { a: [1] }, ...unseen });
    expect(readProject(json)).toMatchObject(json);
  });

  it.each([
    ['a wrong type', { '/beam/energy': 'high' }, '/beam/energy', 'must be a number'],
    ['a missing value', { '/beam/energy': undefined }, '/beam/energy', 'is missing: must be a number'],
    ['a missing part', { '/figureManager': undefined }, '/figureManager', 'is missing: must be an object'],
    ['a negative energy', { '/beam/energy': -1 }, '/beam/energy', 'must be more than 0'],
    ['a fraction of a primary', { '/beam/numberOfParticles': 1.5 }, '/beam/numberOfParticles', 'must be an integer'],
    ['no primaries', { '/beam/numberOfParticles': 0 }, '/beam/numberOfParticles', 'must be at least 1'],
    ['a beam to nowhere', { '/beam/direction': [0, 0, 0] }, '/beam/direction', 'must not be a zero vector'],
    ['a short vector', { '/beam/position': [0, 0] }, '/beam/position', 'must have at least 3 items'],
    ['an unknown unit', { '/beam/energyUnit': 'J' }, '/beam/energyUnit', 'must be one of "MeV", "MeV/nucl"'],
    [
      'an unknown boolean mode',
      { '/zoneManager/zones/0/unionOperations/0/0/mode': 'xor' },
      '/zoneManager/zones/0/unionOperations/0/0/mode',
      'must be one of "union", "intersection", "subtraction", "reverse-subtraction"',
    ],
    [
      'a term that begins with a subtraction',
      { '/zoneManager/zones/0/unionOperations/0/0/mode': 'subtraction' },
      '/zoneManager/zones/0/unionOperations/0/0/mode',
      'must be "union", as the first of its term',
    ],
    [
      'an unknown figure',
      { '/figureManager/figures/0/geometryData/geometryType': 'Torus' },
      '/figureManager/figures/0/geometryData/geometryType',
      'must be one of the types that the editor knows',
    ],
    [
      'an inner radius that is too large',
      { '/detectorManager/detectors/0/geometryData/parameters/innerRadius': 5 },
      '/detectorManager/detectors/0/geometryData/parameters/innerRadius',
      'must be smaller than radius',
    ],
    [
      'no segments',
      { '/detectorManager/detectors/1/geometryData/parameters/xSegments': 0 },
      '/detectorManager/detectors/1/geometryData/parameters/xSegments',
      'must be at least 1',
    ],
  ])('names the place of %s', (_name, changes, path, message) => {
    expect(faultsOf(changes)).toContainEqual({ path, message });
  });

  it('lists every fault at once', () => {
    const paths = faultsOf({ '/beam/energy': -1, '/physic/energyLoss': 1, '/zoneManager/zones/0/name': 7 }).map(
      (fault) => fault.path,
    );
    expect(paths.sort()).toEqual(['/beam/energy', '/physic/energyLoss', '/zoneManager/zones/0/name']);
  });

  it.each([[null], [[]], ['project'], [42], [{}]])('refuses %j, which is no project', (json) => {
    expect(errorOf(() => readProject(json)).reason).toBe('PROJECT_INVALID');
  });

  it.each([
    ['figure', '/zoneManager/zones/0/unionOperations/0/0/objectUuid'],
    ['material', '/zoneManager/zones/0/materialUuid'],
    ['material', '/zoneManager/worldZone/materialUuid'],
    ['detector', '/scoringManager/outputs/0/detectorUuid'],
    ['zone', '/scoringManager/outputs/0/zoneUuid'],
    ['filter', '/scoringManager/outputs/0/quantities/1/filter'],
    ['material', '/scoringManager/outputs/0/quantities/0/materialUuid'],
  ])('refuses a reference to a %s that is not there, at %s', (noun, path) => {
    const inZone = noun === 'zone' ? { '/scoringManager/outputs/0/scoringType': 'ZONE' } : {};
    expect(faultsOf({ ...inZone, [path]: 'nobody' })).toEqual([
      { path, message: `refers to no ${noun} of the project` },
    ]);
  });

  it('refuses a zone detector whose zone is not there, and two things of one uuid', () => {
    const stray = detector(IDS.depth, 'Stray', 'Zone', [0, 0, 0], { zoneUuid: 'nobody' });
    expect(faultsOf({ '/detectorManager/detectors/1': stray })).toEqual(
      expect.arrayContaining([
        { path: '/detectorManager/detectors/1/uuid', message: 'must be unique among detectors' },
        {
          path: '/detectorManager/detectors/1/geometryData/parameters/zoneUuid',
          message: 'refers to no zone of the project',
        },
      ]),
    );
  });
});

describe('projects of old editors', () => {
  it('are read without an energy unit, in MeV', () => {
    expect(readProject(buildProject({ '/beam/energyUnit': undefined })).beam.energyUnit).toBe('MeV');
  });

  it('are read with their quantities in quantities.active', () => {
    const quantities = [quantity('q', 'Dose', 'Dose')];
    const project = readProject(buildProject({ '/scoringManager/outputs/0/quantities': { active: quantities } }));
    expect(project.scoringManager.outputs[0]?.quantities).toMatchObject(quantities);
  });

  it.each(['CyliderGeometry', 'CylinderGeometry', 'HollowCylinderGeometry'])(
    'are read with cylinders called %s, without an inner radius',
    (geometryType) => {
      const project = readProject(
        buildProject({
          '/figureManager/figures/0/geometryData/geometryType': geometryType,
          '/figureManager/figures/0/geometryData/parameters': { radius: 5, depth: 20 },
        }),
      );
      expect(project.figureManager.figures[0]?.geometryData).toMatchObject({
        geometryType: 'HollowCylinderGeometry',
        parameters: { innerRadius: 0, radius: 5, depth: 20 },
      });
    },
  );

  it('are read with either spelling of material keys, or none', () => {
    const project = readProject(
      buildProject({
        '/materialManager/materials/0/sanitizedName': undefined,
        '/materialManager/materials/0/sanitized_name': 'water',
        '/materialManager/materials/1/sanitizedName': undefined,
      }),
    );
    expect(project.materialManager.materials.map((one) => one.sanitizedName)).toEqual(['water', undefined, 'pmma']);
  });

  it('are read with values that stand beside a switch set to false as absent', () => {
    const pointer = '/scoringManager/outputs/0/quantities/1';
    const project = readProject(buildProject({ [`${pointer}/hasFilter`]: false, [`${pointer}/rescale`]: null }));
    const [, read] = project.scoringManager.outputs[0]?.quantities ?? [];
    expect([read?.filter, read?.rescale]).toEqual([undefined, undefined]);
  });

  it('are read without physics, special components and scoring of any kind', () => {
    const project = readProject(
      buildProject({ '/physic': undefined, '/specialComponentsManager': undefined, '/scoringManager': {} }),
    );
    expect(project.physic).toMatchObject({ energyLoss: 0.03, multipleScattering: 'Moliere' });
    expect(project.scoringManager).toMatchObject({ outputs: [], filters: [] });
  });
});

describe('limits', () => {
  it.each([
    ['/figureManager/figures', { figuresMax: 1 }, 'must have at most 1 figures, has 2'],
    ['/zoneManager/zones', { zonesMax: 0 }, 'must have at most 0 zones, has 1'],
    ['/zoneManager/zones', { zoneOperationsMax: 0 }, 'must have at most 0 boolean operations, has 1'],
    ['/materialManager/materials', { materialsMax: 2 }, 'must have at most 2 materials, has 3'],
    ['/detectorManager/detectors', { detectorsMax: 1 }, 'must have at most 1 detectors, has 2'],
    ['/scoringManager/outputs', { outputsMax: 1 }, 'must have at most 1 outputs, has 2'],
    ['/scoringManager/outputs', { quantitiesMax: 2 }, 'must have at most 2 quantities, has 3'],
    ['/scoringManager/filters', { filtersMax: 0 }, 'must have at most 0 filters, has 1'],
    ['/scoringManager/filters', { filterRulesMax: 1 }, 'must have at most 1 filter rules, has 2'],
    ['/beam/numberOfParticles', { primariesMax: 9999 }, 'must be at most 9999'],
    [
      '/scoringManager/outputs/1/quantities/0',
      { binsMax: 4799 },
      'the project must have at most 4799 bins, up to here it has 4800',
    ],
  ])('at %s refuse a project beyond them', (path, limits, message) => {
    const error = errorOf(() => readProject(buildProject(), { ...DEFAULT_PROJECT_LIMITS, ...limits }));
    expect(error.reason).toBe('PROJECT_TOO_LARGE');
    expect(error.items).toEqual([{ path, message }]);
  });

  it('let a project through that just reaches them', () => {
    const limits = { ...DEFAULT_PROJECT_LIMITS, figuresMax: 2, zonesMax: 1, quantitiesMax: 3, binsMax: 4800 };
    expect(readPrimaries(readProject(buildProject(), { ...limits, primariesMax: 10_000 }))).toBe(10_000);
  });

  it('count differential axes and the default of 20 million bins', () => {
    const axis = { uuid: 'a', diffType: 'E', lowerLimit: 0, upperLimit: 200, binsNumber: 6000, isLog: false };
    const quantities = [{ ...quantity('q', 'Spectrum', 'Fluence'), modifiers: [axis] }];
    const json = buildProject({ '/scoringManager/outputs/1': output('o', 'spectrum', IDS.mesh, quantities) });
    expect(errorOf(() => readProject(json)).message).toContain('at most 20000000 bins, up to here it has 24000800');
  });

  it('refuse figures nested without end, before anything recurses into them', () => {
    let nested = figure('leaf', 'Leaf', 'SphereGeometry', [0, 0, 0], { radius: 1 });
    for (let depth = 0; depth < 100_000; depth += 1)
      nested = { ...nested, uuid: `figure-${depth}`, children: [nested] };
    const error = errorOf(() => readProject(buildProject({ '/figureManager/figures/0': nested })));
    expect(error.reason).toBe('PROJECT_TOO_LARGE');
    expect(error.message).toBe('/figureManager/figures: must be nested at most 50 deep');
  });

  it('refuse a name of more than 256 characters', () => {
    expect(faultsOf({ '/zoneManager/zones/0/name': 'x'.repeat(257) })).toEqual([
      { path: '/zoneManager/zones/0/name', message: 'must have at most 256 characters' },
    ]);
  });
});

describe('readTitle', () => {
  it.each([
    ['Water tank', 'Water tank'],
    ['  two\nlines\t and\u2028more ', 'two lines and more'],
    [' \n ', undefined],
  ])('gives %j as %j', (title, expected) => {
    expect(readTitle(readProject(buildProject({ '/project/title': title })))).toBe(expected);
  });
});
