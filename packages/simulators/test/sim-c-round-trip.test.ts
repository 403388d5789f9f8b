import { describe, expect, it } from '@jest/globals';
import { findMaterial, ionisationEv, listMaterials } from '@tally/engine';
import fc from 'fast-check';
import { ConversionError } from '../src/conversion-error.js';
import type { Conversion, ManifestPage } from '../src/driver.js';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-c/deck/convert.js';
import { expectReadOrRefused } from './any-project.js';
import { buildProject, type Json, material, output, quantity } from './build-project.js';
import { readSimCGeometry, type SimCGeometry } from './decks/read-sim-c-geometry.js';
import { readSimCMacro, type SimCMacro } from './decks/read-sim-c-macro.js';
import { randomProject } from './random-project.js';
import { keepGeometry } from './zones/keep-geometry.js';

interface ReadDeck {
  readonly conversion: Conversion;
  readonly macro: SimCMacro;
  readonly geometry: SimCGeometry;
}

function read(project: Project): ReadDeck {
  const conversion = convert(project);
  const { files } = conversion;
  return {
    conversion,
    macro: readSimCMacro(files['run.mac'] ?? ''),
    geometry: readSimCGeometry(files['geometry.gdml'] ?? ''),
  };
}

const beam = fc.record({
  particle: fc.constantFrom({ id: 1 }, { id: 2 }, { id: 21 }, { id: 25, z: 6, a: 12 }, { id: 25, z: 1, a: 1 }),
  energy: fc.double({ min: 1, max: 400, noNaN: true }),
  spread: fc.constantFrom(0, 0.004, 0.02),
  direction: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -4, max: 4 }))).filter((vector) => vector.some(Boolean)),
  sigma: fc.record({
    type: fc.constantFrom('Gaussian', 'Flat square', 'Flat circular'),
    x: fc.constantFrom(0, -0.3, 1.25),
    y: fc.constantFrom(0, 0.5),
  }),
  divergence: fc.constantFrom({ x: 0, y: 0 }, { x: 3, y: 5 }, { x: 0, y: 2 }),
});

type RandomBeam = typeof beam extends fc.Arbitrary<infer Value> ? Value : never;

function withBeam({ energy, spread, divergence, ...rest }: RandomBeam): Project {
  const changes = {
    ...rest,
    position: [0.5, -1, 3],
    energyUnit: 'MeV/nucl',
    energy,
    energySpread: spread * energy,
    energyLowCutoff: 0.5,
    energyHighCutoff: 500,
    divergence: { ...divergence, distanceToFocal: 0 },
    sad: { type: 'none', x: 0, y: 0 },
    numberOfParticles: 12_345,
  };
  return readProject(buildProject({ '/beam': changes }));
}

/** Name and mass number. */
const NAMES: Readonly<Record<string, readonly [string, number]>> = {
  '1': ['neutron', 1],
  '2': ['proton', 1],
  '21': ['deuteron', 2],
  '25/12': ['ion', 12],
  '25/1': ['proton', 1],
};

function refusedPaths(changes: Json): string[] {
  try {
    convert(readProject(buildProject(changes)));
  } catch (err) {
    if (err instanceof ConversionError) return err.items.map((item) => item.path);
    throw err;
  }
  return [];
}

describe('beams of simC decks', () => {
  it('have the energies, spots, directions and openings of the project', () => {
    fc.assert(
      fc.property(beam, (made) => {
        const { macro } = read(withBeam(made));
        const one = (command: string): string | undefined => macro.argumentsOf(command)?.[0];
        const { id, a } = { a: 0, ...made.particle };
        const [name, nucleons] = NAMES[id === 25 ? `${id}/${a}` : String(id)] ?? ['', 0];
        expect(one('/gps/particle')).toBe(name);
        expect(macro.argumentsOf('/gps/ion')).toEqual(name === 'ion' ? ['6', '12', '6', '0'] : undefined);
        expect(macro.argumentsOf('/gps/position')).toEqual(['0.5', '-1', '3', 'cm']);
        expect(Number(one('/gps/ene/mono'))).toBeCloseTo(made.energy * nucleons, 8);
        expect(Number(one('/gps/ene/sigma'))).toBeCloseTo(made.spread * made.energy * nucleons, 8);
        expect([one('/gps/ene/min'), one('/gps/ene/max')].map(Number)).toEqual([0.5 * nucleons, 500 * nucleons]);
        expect(one('/run/beamOn')).toBe('12345');
        expectSpot(made, macro);
        expectDirection(made, macro);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused where the simulator would start others', () => {
    expect(refusedPaths({ '/beam/energyLowCutoff': 151 })).toEqual(['/beam/energyLowCutoff']);
    expect(refusedPaths({ '/beam/energyHighCutoff': 149 })).toEqual(['/beam/energyHighCutoff']);
    const focus = { x: 1, y: 0, distanceToFocal: 10 };
    expect(refusedPaths({ '/beam/divergence': focus })).toEqual(['/beam/divergence/distanceToFocal']);
    expect(refusedPaths({ '/beam/particle': { id: 99 } })).toEqual(['/beam/particle/id']);
    expect(refusedPaths({ '/beam/position': [0, 0, -3] })).toEqual(['/beam/position']);
    expect(refusedPaths({ '/beam/sourceType': 'file' })).toEqual(['/beam/sourceFile/value']);
  });

  it('read particles by the list of Geant4 projects: photons and carbon, not geantinos', () => {
    const particleOf = (id: number): string[] => {
      const json = buildProject({
        '/project/simulator': 'geant4',
        '/beam/particle': { id },
        '/scoringManager/filters': [],
      });
      const world = { ...(json.figureManager as { figures: Json[] }).figures[0], children: [] };
      const project = { ...json, figureManager: { figures: [world] }, zoneManager: undefined };
      const outputs = [output('o', 'depth', '44444444-0000-4000-8000-000000000001', [quantity('q', 'Dose', 'Dose')])];
      const made = readProject({
        ...project,
        beam: { ...(project as { beam?: Json }).beam, position: [0, 0, 1] },
        scoringManager: { outputs, filters: [] },
      });
      return read(made).macro.commands.filter((line) => /^\/gps\/(particle|ion) /.test(line));
    };
    expect(particleOf(3)).toEqual(['/gps/particle gamma']);
    expect(particleOf(11)).toEqual(['/gps/particle ion', '/gps/ion 6 12 6 0']);
    expect([4, 5, 6, 7, 8, 9, 10].flatMap(particleOf)).toEqual(
      ['e-', 'e+', 'alpha', 'mu-', 'mu+', 'pi-', 'pi+'].map((name) => `/gps/particle ${name}`),
    );
  });
});

function expectSpot({ sigma }: RandomBeam, macro: SimCMacro): void {
  const size = (command: string): number => Number(macro.argumentsOf(`/gps/pos/${command}`)?.[0] ?? 0);
  const type = macro.argumentsOf('/gps/pos/type')?.[0];
  const [x, y] = [Math.abs(sigma.x), sigma.y];
  switch (sigma.type) {
    case 'Gaussian':
      return expect([type, size('sigma_x'), size('sigma_y')]).toEqual(['Beam', x, y]);
    case 'Flat square':
      return expect([type, size('halfx'), size('halfy')]).toEqual(['Plane', x, y]);
    default:
      return expect([type, size('radius')]).toEqual([y === 0 ? 'Point' : 'Plane', y]);
  }
}

function cross([ax = 0, ay = 0, az = 0]: readonly number[], [bx = 0, by = 0, bz = 0]: readonly number[]): number[] {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function expectDirection({ direction, divergence }: RandomBeam, macro: SimCMacro): void {
  const length = Math.hypot(...direction);
  const unit = direction.map((component) => component / length);
  const vector = (command: string): number[] => (macro.argumentsOf(command) ?? []).map(Number);
  const expectAlong = (actual: readonly number[], sign: number): void => {
    for (const axis of [0, 1, 2]) expect(actual[axis]).toBeCloseTo(sign * (unit[axis] ?? 0), 10);
  };
  if (divergence.x === 0 && divergence.y === 0) expect(vector('/gps/direction')).toEqual([...direction]);
  else {
    expect(macro.argumentsOf('/gps/ang/type')).toEqual(['beam2d']);
    // a divergent beam goes against the third axis of its frame
    expectAlong(cross(vector('/gps/ang/rot1'), vector('/gps/ang/rot2')), -1);
    expect(vector('/gps/ang/sigma_x')[0]).toBeCloseTo(divergence.x / 1000, 12);
    expect(vector('/gps/ang/sigma_y')[0]).toBeCloseTo(divergence.y / 1000, 12);
  }
  const isAlongZ = direction[0] === 0 && direction[1] === 0;
  if (isAlongZ) expect(macro.argumentsOf('/gps/pos/rot1')).toBeUndefined();
  else expectAlong(cross(vector('/gps/pos/rot1'), vector('/gps/pos/rot2')), 1);
}

describe('materials of simC decks', () => {
  const withMaterial = (changes: Json, overrides: Json = {}): Project =>
    readProject(
      buildProject({
        '/materialManager/materials/0': { ...material('x', 'X', 276, 1), ...changes },
        '/zoneManager/zones/0/materialUuid': 'x',
        '/zoneManager/zones/0/materialPropertiesOverrides': overrides,
      }),
    );
  const materialOf = ({ geometry }: ReadDeck) => {
    const name = geometry.volumes.get('logicWater')?.material ?? '';
    return { name, ...geometry.materials.get(name) };
  };

  it('have the density, composition and mean excitation energy of every library material', () => {
    for (const library of listMaterials()) {
      const { icru, densityGcm3 } = library;
      const written = materialOf(read(withMaterial({ icru, density: densityGcm3 })));
      expect(written.densityGcm3).toBe(densityGcm3);
      expect(written.ionisationEv).toBe(ionisationEv(library, 'icru90'));
      expect([...(written.fractions ?? [])]).toEqual(library.composition.map(({ z, fraction }) => [z, fraction]));
    }
  });

  it("have the project's own density and mean excitation energy where it has them", () => {
    const written = materialOf(read(withMaterial({ averageIonisationPotential: 80.5 }, { density: 0.97 })));
    expect(written).toMatchObject({ densityGcm3: 0.97, ionisationEv: 80.5 });
    expect(written.fractions?.get(1)).toBe(findMaterial(276)?.composition[0]?.fraction);
  });

  it('are the two special ones for vacuum and black hole', () => {
    expect(materialOf(read(withMaterial({ icru: 1000, density: 0 }))).name).toBe('G4_Galactic');
    expect(materialOf(read(withMaterial({ icru: 0, density: 0 })))).toMatchObject({
      name: 'BlackHole',
      densityGcm3: 1e8,
    });
  });
});

const KEYWORDS = ['Dose', 'DoseGy', 'DDD', 'Energy', 'Fluence'];
const SCORERS: Readonly<Record<string, readonly [kind: string, options: string]>> = {
  Dose: ['doseDeposit', 'Gy'],
  DoseGy: ['doseDeposit', 'Gy'],
  DDD: ['doseDeposit', 'Gy'],
  Energy: ['energyDeposit', 'MeV'],
  Fluence: ['cellFlux', 'percm2'],
};
const FILTERS = [
  { uuid: 'protons', name: 'nur Protonen', rules: [rule('Z', '==', 1), rule('A', '==', 1)] },
  { uuid: 'fast', name: 'fast', rules: [rule('E', '>', 12.5)] },
  { uuid: 'slow-alpha', name: 'slow alpha', rules: [rule('E', '<', 20), rule('Z', '==', 2), rule('A', '==', 4)] },
  { uuid: 'neutral', name: 'neutral', rules: [rule('Z', '==', 0)] },
];
const FILTER_COMMANDS: Readonly<Record<string, string>> = {
  protons: 'particle proton',
  fast: 'kineticEnergy 12.5 1000000000000 MeV',
  'slow-alpha': 'particleWithKineticEnergy 0 20 MeV alpha',
  neutral: 'neutral',
};

function rule(keyword: string, operator: string, value: number): Json {
  return { uuid: keyword, keyword, operator, value };
}

const scoring = fc.array(
  fc.record({
    detectorUuid: fc.constantFrom('mesh', 'cylinder', 'all'),
    keywords: fc.array(fc.constantFrom(...KEYWORDS), { minLength: 1, maxLength: 4 }),
    filter: fc.constantFrom(undefined, ...FILTERS.map(({ uuid }) => uuid)),
    name: fc.string({ maxLength: 20 }),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('scorers of simC decks', () => {
  it('are found by the files and names of the manifest, and have the bins and filters of the project', () => {
    fc.assert(
      fc.property(randomProject, scoring, (json, outputs) => {
        const made = outputs.map(({ detectorUuid, keywords, filter, name }, index) =>
          output(
            `output-${index}`,
            name,
            detectorUuid,
            keywords.map((keyword, number) => ({
              ...quantity(`q-${index}-${number}`, `${keyword}${name}`, keyword),
              filter,
            })),
          ),
        );
        const project = readProject({
          ...withSolidDetector(keepGeometry(json)),
          scoringManager: { outputs: made, filters: FILTERS },
        });
        const { conversion, macro } = read(project);
        const pages = conversion.manifest.estimators.flatMap((estimator) => estimator.pages);
        const wanted = made.flatMap((one) => (one.quantities as { uuid: string }[]).map(({ uuid }) => uuid));
        expect(pages.map((page) => page.quantityUuid)).toEqual(wanted);
        expect(macro.dumps).toHaveLength(pages.length);
        expect(new Set(macro.dumps.map(([, , file]) => file)).size).toBe(pages.length);
        for (const page of pages) {
          const filter = outputs[Number(page.quantityUuid.split('-')[1])]?.filter;
          expectScorer(page, macro, filter);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** With the cylinder without its inner radius, which simC refuses. */
function withSolidDetector(json: Json): Json {
  const { detectors } = json.detectorManager as { detectors: { uuid: string; geometryData: { parameters: Json } }[] };
  const solid = structuredClone(detectors);
  for (const { uuid, geometryData } of solid) if (uuid === 'cylinder') geometryData.parameters.innerRadius = 0;
  return { ...json, detectorManager: { detectors: solid } };
}

function expectScorer(page: ManifestPage, macro: SimCMacro, filter: string | undefined): void {
  const { source } = page;
  const [blockName = '', item = ''] = macro.dumps.find(([, , file]) => file === source?.file) ?? [];
  const block = macro.blocks.get(blockName);
  const scorer = block?.scorers.get(item);
  if (source === undefined || block === undefined || scorer === undefined)
    throw new Error(`${page.name} is not scored`);
  expect(item).toBe(source.item);
  expect([scorer.kind, scorer.options]).toEqual(SCORERS[source.keyword]);
  expect(scorer.filter).toBe(filter === undefined ? undefined : FILTER_COMMANDS[filter]);
  const numbers = (command: string): number[] =>
    (block.settings.get(command) ?? []).filter((word) => word !== 'cm').map(Number);
  const center = numbers('/score/mesh/translate/xyz');
  const bins = numbers('/score/mesh/nBin');
  const axes = source.axes ?? [];
  if (axes.length === 0) {
    expect([center, numbers('/score/mesh/boxSize'), bins]).toEqual([
      [0, 0, 0],
      [20, 20, 20],
      [1, 1, 1],
    ]);
    expect(source.binVolumeCm3).toBe(source.keyword === 'Energy' ? undefined : 64_000);
  } else if (block.kind === 'boxMesh') {
    const half = numbers('/score/mesh/boxSize');
    expect(axes.map(({ lower, upper, bins: count }) => [lower, upper, count])).toEqual(
      center.map((middle, axis) => [middle - (half[axis] ?? 0), middle + (half[axis] ?? 0), bins[axis]]),
    );
  } else {
    const [radius, halfDepth = 0] = numbers('/score/mesh/cylinderSize');
    const [r, phi, z] = axes;
    expect([0, radius]).toEqual([r?.lower, r?.upper]);
    expect(center).toEqual([1, 0, ((z?.lower ?? 0) + (z?.upper ?? 0)) / 2]);
    expect(2 * halfDepth).toBe((z?.upper ?? 0) - (z?.lower ?? 0));
    // the command takes radius, depth and angle
    expect(bins).toEqual([r?.bins, z?.bins, phi?.bins]);
  }
}

describe('zones and spectra of simC decks', () => {
  const IN_ZONE = {
    uuid: 'in-zone',
    name: 'Zone',
    geometryData: { geometryType: 'Zone', parameters: { zoneUuid: '22222222-0000-4000-8000-000000000001' } },
  };

  it('score a zone in its volume, dose as energy with the density to divide by, fluence as track length', () => {
    const quantities = ['Dose', 'Fluence', 'Energy'].map((keyword) => quantity(keyword, keyword, keyword));
    const { conversion, macro, geometry } = read(
      readProject(
        buildProject({
          '/detectorManager/detectors/2': IN_ZONE,
          '/zoneManager/zones/0/materialPropertiesOverrides': { density: 0.9 },
          '/scoringManager/outputs': [output('o', 'zone', 'in-zone', quantities)],
        }),
      ),
    );
    const block = macro.blocks.get('logicWater');
    expect(block?.kind).toBe('realWorldLogVol');
    expect([...(block?.scorers.values() ?? [])].map(({ kind, options }) => `${kind} ${options}`)).toEqual([
      'energyDeposit MeV',
      'trackLength true false false cm',
      'energyDeposit MeV',
    ]);
    expect(conversion.manifest.estimators[0]?.pages.map(({ source }) => source?.densityGcm3)).toEqual([
      0.9,
      undefined,
      undefined,
    ]);
    // what is scored by volume is found by the number of its copy, and there is only the first
    expect([...geometry.volumes.values()].flatMap(({ daughters }) => daughters.map(({ copy }) => copy))).toEqual([
      '0',
      '0',
    ]);
  });

  it('fill one histogram each from probes in the middle of their detectors', () => {
    const spectrum = (uuid: string, scheme: string, unit: string): Json => ({
      ...quantity(uuid, 'Same name', 'KineticEnergySpectrum'),
      histogramNBins: 20,
      histogramMin: 10,
      histogramMax: 2000,
      histogramUnit: unit,
      histogramXBinScheme: scheme,
    });
    const quantities = [
      spectrum('a', 'linear', 'MeV'),
      { ...spectrum('b', 'log', 'keV'), filter: '77777777-0000-4000-8000-000000000001' },
    ];
    const { conversion, macro } = read(
      readProject(buildProject({ '/scoringManager/outputs/0/quantities': quantities })),
    );
    const pages = conversion.manifest.estimators[0]?.pages ?? [];
    expect(macro.histograms.map(({ bins, lower, upper, unit, scheme }) => [bins, lower, upper, unit, scheme])).toEqual([
      [20, 10, 2000, 'MeV', 'linear'],
      [20, 0.01, 2, 'MeV', 'log'],
    ]);
    for (const [index, { source }] of pages.entries()) {
      const histogram = macro.histograms[index];
      const [block = '', item = ''] = histogram?.filledBy ?? [];
      const { settings, scorers, kind } = macro.blocks.get(block) ?? {};
      expect([kind, settings?.get('size'), settings?.get('/score/probe/locate')]).toEqual([
        'probe',
        ['2.5', 'cm'],
        ['0', '0', '10', 'cm'],
      ]);
      expect(scorers?.get(item)?.filter).toBe(index === 1 ? 'particle proton' : undefined);
      expect(source?.item).toBe(histogram?.name);
      expect(source?.file).toBe(`histograms_h1_${histogram?.name ?? ''}.csv`);
      expect(source?.axes?.map(({ name }) => name)).toEqual(['E']);
    }
    expect(new Set(pages.map(({ source }) => source?.file)).size).toBe(2);
    expect(conversion.warnings.map(({ code }) => code)).toEqual(['SPECTRUM_IN_PROBE']);
  });
});

describe('any project', () => {
  it('becomes a deck that can be read, or is refused with what cannot be done', () => {
    expectReadOrRefused((project) => void read(project));
  });
});
