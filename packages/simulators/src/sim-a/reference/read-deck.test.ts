import { describe, expect, it } from '@jest/globals';
import { GOLDEN_PROJECTS } from '../../../test/golden/projects.js';
import { fuzz } from '../../../test/output/mutate.js';
import { ConversionError } from '../../conversion-error.js';
import type { DeckFiles, Manifest } from '../../driver.js';
import { readProject } from '../../project/read-project.js';
import { convert } from '../deck/convert.js';
import { adoptForReference, readDeck } from './read-deck.js';

const DECK: DeckFiles = {
  'beam.dat': [
    '* a deck as users write it',
    'RNDSEED\t89736501  ! seed',
    'JPART0 25',
    'HIPROJ 12 6',
    'TMAX0 270.0 0.5',
    'NSTAT 1000 -1',
    'beampos 1 2 -3 # words in any case',
    'BEAMDIR 90 0',
    'BEAMSIGMA 1.0 -2.5',
    'BEAMSAD 200',
    'STRAGG 1',
    'MSCAT 0',
    'NUCRE 0',
    'DELTAE 0.01',
  ].join('\n'),
  'mat.dat': 'MEDIUM 1\nICRU 276\nEND\nMEDIUM 2\nRHO 1.85\nICRU 119\nEND\n',
  'geo.dat': [
    '    0    0          a slab in water',
    '  RPP    1      -5.0       5.0      -5.0       5.0       0.0      20.0',
    '  RCC    2       0.0       0.0       3.0       0.0       0.0       2.0',
    '                 1.5',
    '  RPP    9     -10.0      10.0     -10.0      10.0     -10.0      30.0',
    '  END',
    '  TAN          +1     -2',
    '  SLA          +2',
    '  OUT          +9     -1OR   +9     -1',
    '  END',
    '    1    2    3',
    '    1    2    0',
  ].join('\n'),
  'detect.dat': [
    'Geometry Mesh',
    '  Name Depth',
    '  X -1 1 1',
    '  Y -2 2 1',
    '  Z 0 20 40',
    'Geometry Zone',
    '  Name Slab',
    '  Zone 2',
    '  Volume 14.1',
    'Filter',
    '  Name carbon',
    '  Z == 6',
    'Settings',
    '  Name absolute',
    '  Primaries 1e9',
    '  Medium 2',
    'Output',
    '  Filename depth.bdo',
    '  Geo Depth',
    '  Quantity DoseGy carbon absolute',
    '  Quantity Fluence',
    '  Diff1 0.1 300 50 log',
    '  Diff1Type ENUC',
    'Output',
    '  Filename slab.bdo',
    '  Geo Slab',
    '  Quantity ENERGY',
  ].join('\n'),
};

function replace(file: string, from: string, to: string): DeckFiles {
  const text = DECK[file] ?? '';
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  return { ...DECK, [file]: text.replace(from, to) };
}

function faultsOf(files: DeckFiles): readonly { path: string; message: string }[] {
  try {
    readDeck(files);
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    expect(err.reason).toBe('FILES_INVALID');
    return err.items;
  }
  return [];
}

describe("users' decks of simA", () => {
  it('are read with beam and physics, energies of ions as total energies', () => {
    const { problem, primaries } = readDeck(DECK);
    expect(primaries).toBe(1000);
    expect(problem.title).toBe('a slab in water');
    expect(problem.beam).toMatchObject({
      particle: { z: 6, a: 12 },
      positionCm: [1, 2, -3],
      energyMev: 3240,
      energySpreadMev: 6,
      shape: { type: 'flat-circular', radiusCm: 2.5 },
      sad: { xCm: 200, yCm: 200 },
    });
    expect(problem.beam.direction[0]).toBeCloseTo(1, 15);
    expect(problem.physics).toMatchObject({
      energyLossFraction: 0.01,
      straggling: 'gaussian',
      scattering: 'none',
      nuclearReactions: false,
    });
  });

  it('are read with materials and geometry, the outermost body being the world', () => {
    const { figures, zones, world, materials } = readDeck(DECK).problem;
    expect(figures.map(({ shape, centerCm }) => ({ shape, centerCm }))).toEqual([
      { shape: { type: 'box', sizeCm: [10, 10, 20] }, centerCm: [0, 0, 10] },
      { shape: { type: 'cylinder', innerRadiusCm: 0, radiusCm: 1.5, depthCm: 2 }, centerCm: [0, 0, 4] },
      { shape: { type: 'box', sizeCm: [20, 20, 40] }, centerCm: [0, 0, 10] },
    ]);
    expect(world.figure).toBe(2);
    expect(zones.map(({ material }) => materials[material])).toEqual([
      { name: 'ICRU 276', icru: 276 },
      { name: 'ICRU 119', icru: 119, densityGcm3: 1.85 },
      { name: 'black hole', icru: 0 },
    ]);
    expect(zones[2]?.terms).toHaveLength(2);
    expect(zones[0]?.terms).toEqual([
      [
        { mode: 'union', figure: 0 },
        { mode: 'subtraction', figure: 1 },
      ],
    ]);
  });

  it('are read with detectors, filters, settings and axes', () => {
    const { problem, warnings } = readDeck(DECK);
    expect(problem.detectors).toEqual([
      { type: 'mesh', name: 'Depth', centerCm: [0, 0, 10], sizeCm: [2, 4, 20], segments: [1, 1, 40] },
      { type: 'zone', name: 'Slab', zone: 1 },
    ]);
    expect(problem.outputs).toEqual([
      {
        name: 'depth',
        detector: 0,
        quantities: [
          {
            name: 'DoseGy',
            keyword: 'DoseGy',
            modifiers: [],
            scale: 1e9,
            filter: { name: 'carbon', rules: [{ keyword: 'Z', operator: '==', value: 6 }] },
            material: 3,
          },
          {
            name: 'Fluence',
            keyword: 'Fluence',
            modifiers: [{ type: 'ENUC', lower: 0.1, upper: 300, bins: 50, log: true }],
            scale: 1,
          },
        ],
      },
      { name: 'slab', detector: 1, quantities: [{ name: 'Energy', keyword: 'Energy', modifiers: [], scale: 1 }] },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['ZONE_VOLUME_UNUSED']);
  });

  it('become a deck of the engine, with the users’ files in it and a manifest', () => {
    const { files, primaries } = adoptForReference(DECK);
    const manifest = JSON.parse(files['manifest.json'] ?? '') as Manifest;
    expect(primaries).toBe(1000);
    expect(files).toMatchObject(DECK);
    expect(Object.keys(files)).toContain('problem.json');
    expect(manifest.estimators.map(({ name, pages }) => [name, pages.map(({ isAbsolute }) => isAbsolute)])).toEqual([
      ['depth', [true, false]],
      ['slab', [false]],
    ]);
  });

  it.each([
    ['beam.dat', 'BEAMSAD 200', 'USECBEAM sobp.dat', '/beam.dat', 'line 10: there is no file "sobp.dat"'],
    ['beam.dat', 'JPART0 25', 'JPART0 99', '/beam.dat', 'line 3: no particle has the number 99'],
    ['beam.dat', 'NSTAT 1000', 'NSTAT many', '/beam.dat', 'line 6: NSTAT must have one or two whole numbers, not many'],
    ['beam.dat', 'DELTAE 0.01', 'DELTAX 0.01', '/beam.dat', 'line 14: the keyword DELTAX is not supported'],
    ['mat.dat', 'ICRU 119', 'NUCLID 1 2', '/mat.dat', 'line 6: the keyword NUCLID is not supported'],
    ['mat.dat', 'ICRU 276', 'ICRU 999', '/mat.dat', 'materials[2]'],
    ['geo.dat', '  RCC    2', '  TRC    2', '/geo.dat', 'line 3: the body TRC is not supported'],
    ['geo.dat', '     -2', '     -7', '/geo.dat', 'line 7: there is no body 7'],
    ['geo.dat', '    1    2    0', '    1    5    0', '/geo.dat', 'line 8: there is no medium 5'],
    ['geo.dat', '    1    2    3\n', '    1    2\n', '/geo.dat', 'must end with the numbers of its 3 zones'],
    ['geo.dat', '  END\n  TAN', '  TAN', '/geo.dat', 'must have bodies, END, zones, END'],
    ['geo.dat', '20.0\n', 'abc\n', '/geo.dat', 'line 2: must have numbers'],
    [
      'detect.dat',
      'Quantity ENERGY',
      'Quantity Alanine',
      '/detect.dat',
      'line 27: the quantity Alanine is not supported',
    ],
    ['detect.dat', 'carbon absolute', 'carbon relative', '/detect.dat', 'there are no settings called relative'],
    ['detect.dat', '  Geo Slab', '  Geo Slap', '/detect.dat', 'line 24: must have a Geo'],
    ['detect.dat', '  Zone 2', '  Zone 8', '/detect.dat', 'line 8: must name one zone'],
    ['detect.dat', '  Z 0 20 40', '  Z 0 20', '/detect.dat', 'line 5: must have Z with two limits'],
    ['detect.dat', 'Diff1Type ENUC', 'Diff1Type COLOUR', '/detect.dat', 'line 23: must have a known type'],
    ['detect.dat', 'Z == 6', 'Z = 6', '/detect.dat', 'line 12: the rule "Z = 6" is not known'],
    ['detect.dat', 'Medium 2', 'Medium 7', '/detect.dat', 'line 16: "Medium 7" is not supported'],
  ])('are refused in %s with "%s" as "%s", by file and line', (file, from, to, path, message) => {
    const faults = faultsOf(replace(file, from, to));
    expect(faults.map((fault) => fault.path)).toContain(path);
    expect(faults.map((fault) => fault.message).join('; ')).toContain(message);
  });

  it('are refused with every file that is missing', () => {
    expect(faultsOf({ 'beam.dat': '' })).toEqual([
      { path: '/mat.dat', message: 'is missing' },
      { path: '/geo.dat', message: 'is missing' },
      { path: '/detect.dat', message: 'is missing' },
    ]);
  });

  it('that the converter wrote keep every turned box and lying cylinder', () => {
    const { problem } = readDeck(convert(readProject(GOLDEN_PROJECTS['turned-figures'])).files);
    expect(problem.figures[0]).toMatchObject({ shape: { type: 'box' } });
    const [box, cylinder] = problem.figures;
    for (const [axis, size] of [4, 3, 2].entries()) {
      expect(box?.shape.type === 'box' ? box.shape.sizeCm[axis] : 0).toBeCloseTo(size, 6);
    }
    for (const [axis, coordinate] of [1, -2, 12].entries()) expect(box?.centerCm[axis]).toBeCloseTo(coordinate, 6);
    expect(cylinder).toMatchObject({ centerCm: [-1, 1, 6], rotationDeg: [0, 90, 0] });
  });

  it('are read or refused with a typed error, whatever is in them', () => {
    const names = ['beam.dat', 'mat.dat', 'geo.dat', 'detect.dat'] as const;
    const mutations = Number(process.env.TALLY_DECK_MUTATIONS ?? 4_000) / names.length;
    for (const name of names) {
      const read = (bytes: Uint8Array) => readDeck({ ...DECK, [name]: new TextDecoder().decode(bytes) });
      const report = fuzz(
        [new TextEncoder().encode(DECK[name])],
        mutations,
        read,
        (err) => err instanceof ConversionError,
      );
      expect(Math.min(report.read, report.refused)).toBeGreaterThan(0);
      expect(report.slowestMs).toBeLessThan(10_000); // hostile text takes hours where reading is quadratic
    }
  }, 600_000);
});
