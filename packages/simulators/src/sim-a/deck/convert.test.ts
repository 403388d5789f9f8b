import { describe, expect, it } from '@jest/globals';
import { buildProject, figure, geometry, IDS, zone } from '../../../test/build-project.js';
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

const SPHERES = Array.from({ length: 16 }, (_, index) =>
  figure(`s${index}`, `S${index}`, 'SphereGeometry', [Math.cos(index), Math.sin(index), 10 + 0.1 * index], {
    radius: 3,
  }),
);
const PAIRS = Array.from({ length: 8 }, (_, index) => [
  { mode: 'union', objectUuid: `s${2 * index}` },
  { mode: 'subtraction', objectUuid: `s${2 * index + 1}` },
]);

describe('a deck of simA', () => {
  it.each<[string, Changes, string, string]>([
    ['electrons', { '/beam/particle': { id: 26 } }, '/beam/particle/id', 'a beam of electrons is not supported'],
    [
      'a particle that nobody knows',
      { '/beam/particle': { id: 77 } },
      '/beam/particle/id',
      'no particle has the id 77',
    ],
    ['a source file without text', { '/beam/sourceType': 'file' }, '/beam/sourceFile', 'must have a text'],
    ['a beam outside the world', { '/beam/position': [0, 0, -50] }, '/beam/position', 'must be inside the world'],
    [
      'a source-to-axis distance of nothing',
      {
        '/beam/sourceType': 'file',
        '/beam/sourceFile': { name: 'plan.dat', value: '1 2 3\n' },
        '/beam/sad': { type: 'double', x: 100, y: 0 },
      },
      '/beam/sad/y',
      'more than 0',
    ],
    ['a CT cube', { '/specialComponentsManager/CTCube': {} }, '/specialComponentsManager/CTCube', 'not supported'],
    ['graphite', { '/materialManager/materials/0/icru': 906 }, '/zoneManager/zones/0/materialUuid', 'is not known'],
    ['no world', { '/zoneManager/worldZone': undefined }, '/zoneManager/worldZone', 'is missing'],
    [
      'a quantity of its own',
      { '/scoringManager/outputs/0/quantities/0/keyword': 'Magic' },
      '/scoringManager/outputs/0/quantities/0/keyword',
      '"Magic"',
    ],
    [
      'dose in vacuum',
      { '/scoringManager/outputs/0/quantities/0/materialUuid': IDS.vacuum },
      '/scoringManager/outputs/0/quantities/0/materialUuid',
      'is no medium',
    ],
    [
      'a filter for photons',
      {
        '/project/simulator': 'geant4',
        '/scoringManager/filters/0': { uuid: IDS.protons, name: 'g', particle: { id: 3 } },
      },
      '/scoringManager/filters/0/particle',
      'photons',
    ],
  ])('is refused for %s', (_name, changes, path, message) => {
    const refusals = refusalsOf(changes);
    expect(refusals.map((item) => item.path)).toContain(path);
    expect(refusals.map((item) => item.message).join('; ')).toContain(message);
  });

  it('is refused for figures that cut each other without end, soon', () => {
    const refusals = refusalsOf({
      '/figureManager/figures': SPHERES,
      '/zoneManager/zones': [
        zone('z1', 'Pairs', IDS.water, PAIRS),
        zone(
          'z2',
          'Reverse',
          IDS.pmma,
          PAIRS.map(([one, other]) => [
            { mode: 'union', objectUuid: other?.objectUuid },
            { mode: 'subtraction', objectUuid: one?.objectUuid },
          ]),
        ),
        zone(
          'z3',
          'All',
          IDS.water,
          SPHERES.map(({ uuid }) => [{ mode: 'union', objectUuid: uuid }]),
        ),
      ],
    });
    expect(refusals.map(({ message }) => message)).toEqual([expect.stringContaining('boolean terms')]);
  });

  it('names everything that it cannot do at once', () => {
    expect(
      refusalsOf({
        '/beam/particle': { id: 26 },
        '/detectorManager/detectors/0/geometryData/position': [1, 0, 10],
        '/scoringManager/outputs/1/quantities/0/keyword': 'Magic',
      }).map(({ path }) => path),
    ).toEqual([
      '/detectorManager/detectors/0/geometryData/position',
      '/scoringManager/outputs/1/quantities/0/keyword',
      '/beam/particle/id',
    ]);
  });

  it('lets no name of the project write a line, a field or a file of its own', () => {
    const hostile = 'x\n  END\nUSECBEAM /etc/passwd ! ../../a b';
    const { files } = convert(
      readProject(
        buildProject({
          '/project/title': hostile,
          '/figureManager/figures/0/name': hostile,
          '/zoneManager/zones/0/name': hostile,
          '/detectorManager/detectors/0/name': hostile,
          '/scoringManager/outputs/0/name': hostile,
          '/scoringManager/outputs/0/quantities/0/name': hostile,
          '/scoringManager/outputs/0/quantities/0/rescale': 2,
          '/scoringManager/filters/0/name': hostile,
          '/materialManager/materials/0/name': hostile,
          '/materialManager/materials/0/customStoppingPower': true,
          '/physic/availableStoppingPowerFiles': { 276: { icru: 276, name: '../../beam.dat', content: 'x' } },
        }),
      ),
    );
    const clean = convert(
      readProject(
        buildProject({
          '/scoringManager/outputs/0/quantities/0/rescale': 2,
          '/materialManager/materials/0/customStoppingPower': true,
          '/physic/availableStoppingPowerFiles': { 276: { icru: 276, name: 'Water.txt', content: 'x' } },
        }),
      ),
    );
    for (const name of ['beam.dat', 'mat.dat', 'geo.dat', 'detect.dat']) {
      expect(files[name]?.split('\n').length).toBe(clean.files[name]?.split('\n').length);
    }
    for (const name of Object.keys(files)) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,80}$/);
    expect(files['beam.dat']).toContain('NSTAT');
    for (const line of (files['detect.dat'] ?? '').split('\n')) expect(line.trim().split(/\s+/).length).toBeLessThan(5);
  });

  it('leaves a zone without figures out with a warning, and refuses to score in it', () => {
    const empty = zone('empty', 'Empty', IDS.water, []);
    const { warnings } = convert(readProject(buildProject({ '/zoneManager/zones/1': empty })));
    expect(warnings.map(({ code }) => code)).toEqual(['ZONE_EMPTY']);
    const scored = {
      '/zoneManager/zones/1': empty,
      '/detectorManager/detectors/0/geometryData': {
        ...geometry('Zone', [0, 0, 0], { zoneUuid: 'empty' }),
      },
    };
    expect(refusalsOf(scored).map(({ message }) => message)).toContain('must refer to a zone that has a volume');
  });
});
