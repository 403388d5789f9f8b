import { describe, expect, it } from '@jest/globals';
import { findMaterial, ionisationEv, listMaterials } from '@tally/engine';
import fc from 'fast-check';
import { ConversionError } from '../src/conversion-error.js';
import type { Conversion, ManifestPage } from '../src/driver.js';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-b/deck/convert.js';
import { readOutputs } from '../src/sim-b/output/outputs.js';
import { expectReadOrRefused } from './any-project.js';
import { buildProject, type Json, material, output, quantity } from './build-project.js';
import { type Card, cardsOf, readSimBDeck, type SimBDeck } from './decks/read-sim-b-deck.js';
import { readSimBMaterials } from './decks/read-sim-b-materials.js';
import { BinaryWriter } from './output/binary-writer.js';
import { folderOf } from './output/output-folder.js';
import { writeUsrHead, writeUsrtrack } from './output/usr-file.js';
import { randomProject } from './random-project.js';
import { keepGeometry } from './zones/keep-geometry.js';

const FWHM = 2.354820045;
const AMU_GEV = 0.931494102;

function read(project: Project): { conversion: Conversion; deck: SimBDeck } {
  const conversion = convert(project);
  return { conversion, deck: readSimBDeck(conversion.files['fl_sim.inp'] ?? '') };
}

function onlyCard(deck: SimBDeck, codeword: string): Card {
  const [card, ...others] = cardsOf(deck, codeword);
  if (card === undefined || others.length > 0) throw new Error(`${others.length + 1} cards ${codeword}`);
  return card;
}

function numbersOf(card: Card): number[] {
  return card.whats.map((what) => (what === '' ? 0 : Number(what)));
}

/** Within what ten characters leave: five digits of small numbers with an exponent, `places` after the point of others. */
function expectClose(actual: number | undefined, expected: number, places = 9): void {
  const tolerance = 2e-5 * Math.abs(expected) + 10 ** -places;
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance);
}

/** Beams that the simulator can have. */
const beam = fc.record({
  particle: fc.constantFrom(
    { id: 1 },
    { id: 2 },
    { id: 21 },
    { id: 24 },
    { id: 25, z: 6, a: 12 },
    { id: 25, z: 2, a: 4 },
  ),
  energy: fc.double({ min: 1, max: 400, noNaN: true }),
  spread: fc.constantFrom(0, 0.004, 0.02),
  direction: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -4, max: 4 }))).filter((vector) => vector.some(Boolean)),
  sigma: fc.record({
    type: fc.constantFrom('Gaussian', 'Flat square', 'Flat circular'),
    x: fc.constantFrom(0, -0.3, 1.25),
    y: fc.constantFrom(0, 0.5),
  }),
  divergence: fc.constantFrom(0, 3),
});

type RandomBeam = typeof beam extends fc.Arbitrary<infer Value> ? Value : never;

function withBeam({ energy, spread, divergence, ...rest }: RandomBeam): Project {
  const changes = {
    ...rest,
    position: [0.5, -1, 3],
    energyUnit: 'MeV/nucl',
    energy,
    energySpread: spread * energy,
    energyLowCutoff: 0,
    energyHighCutoff: 1000,
    divergence: { x: divergence, y: divergence, distanceToFocal: 0 },
    sad: { type: 'none', x: 0, y: 0 },
    numberOfParticles: 12_345,
  };
  return readProject(buildProject({ '/beam': changes }));
}

/** Name, mass number, rest energy in GeV and number of nucleons that energies are per. */
const NAMES: Readonly<Record<string, readonly [name: string, massGev: number, per: number]>> = {
  '1': ['NEUTRON', 0.939565, 1],
  '2': ['PROTON', 0.938272, 1],
  '21': ['DEUTERON', 1.875613, 0.5],
  '24': ['4-HELIUM', 3.727379, 0.25],
  '25/12': ['HEAVYION', AMU_GEV, 1],
  '25/4': ['4-HELIUM', 3.727379, 0.25],
};

describe('beams of simB decks', () => {
  it('have the energies, spreads, spots and directions of the project', () => {
    fc.assert(
      fc.property(beam, (made) => {
        const { deck } = read(withBeam(made));
        const card = onlyCard(deck, 'BEAM');
        const { id, a } = { a: 0, ...made.particle };
        const [name, mass, per] = NAMES[id === 25 ? `${id}/${a}` : String(id)] ?? ['', 0, 1];
        expect(card.sdum).toBe(name);
        const [energy = 0, spread = 0, divergence = 0, width = 0, height = 0, weight = 0] = numbersOf(card);
        const kinetic = made.energy / per / 1000;
        expectClose(-energy, kinetic, 7);
        // the momentum of a particle whose energy is one standard deviation higher, to first order
        const momentum = (total: number): number => Math.sqrt(total * (total + 2 * mass));
        const step = 1e-6 * kinetic;
        const slope = (momentum(kinetic + step) - momentum(kinetic - step)) / (2 * step);
        expectClose(-spread / FWHM, slope * made.spread * kinetic, 7);
        expectClose(-divergence / FWHM, made.divergence);
        expectSpot(made, [width, height, weight]);
        expectDirection(made, deck);
        expect(cardsOf(deck, 'HI-PROPE').map(numbersOf)).toEqual(name === 'HEAVYION' ? [[6, 12, 0, 0, 0, 0]] : []);
        expect(numbersOf(onlyCard(deck, 'START'))[0]).toBe(12_345);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused where the simulator would start others', () => {
    const paths = (changes: Json): string[] => {
      try {
        convert(readProject(buildProject(changes)));
      } catch (err) {
        if (err instanceof ConversionError) return err.items.map((item) => item.path);
        throw err;
      }
      return [];
    };
    expect(paths({ '/beam/energyLowCutoff': 145 })).toEqual(['/beam/energyLowCutoff']);
    expect(paths({ '/beam/energyLowCutoff': 142 })).toEqual([]);
    expect(paths({ '/beam/energyHighCutoff': 157 })).toEqual(['/beam/energyHighCutoff']);
    expect(paths({ '/beam/divergence/x': 1 })).toEqual(['/beam/divergence']);
    expect(paths({ '/beam/particle': { id: 25, a: 2, z: 3 } })).toEqual(['/beam/particle']);
    expect(paths({ '/beam/particle': { id: 99 } })).toEqual(['/beam/particle/id']);
    expect(paths({ '/beam/position': [0, 0, -3] })).toEqual(['/beam/position']);
    expect(paths({ '/beam/numberOfParticles': 10_000_000_000 })).toEqual(['/beam/numberOfParticles']);
  });
});

function expectSpot({ sigma }: RandomBeam, [width, height, weight]: readonly [number, number, number]): void {
  const [x, y] = [Math.abs(sigma.x), sigma.y];
  const isPoint = sigma.type === 'Flat circular' ? y === 0 : x === 0 && y === 0;
  if (isPoint) return expect([width, height]).toEqual([0, 0]);
  switch (sigma.type) {
    case 'Gaussian':
      expect(Math.abs(width + FWHM * x)).toBeLessThan(1e-5);
      expect(Math.abs(height + FWHM * y)).toBeLessThan(1e-5);
      return expect(width < 0 && height < 0).toBe(true);
    case 'Flat square':
      expect(Math.abs(width - 2 * x)).toBeLessThan(1e-5);
      expect(Math.abs(height - 2 * y)).toBeLessThan(1e-5);
      return expect(width > 0 && height > 0 && weight > 0).toBe(true);
    default:
      expect([width, weight < 0]).toEqual([y, true]);
      // an inner radius of 0 would mean the outer one
      return expect(height > 0 && height < 1e-5).toBe(true);
  }
}

function expectDirection({ direction }: RandomBeam, deck: SimBDeck): void {
  const length = Math.hypot(...direction);
  const place = onlyCard(deck, 'BEAMPOS');
  const [x, y, z, cx = 0, cy = 0] = numbersOf(place);
  expect([x, y, z]).toEqual([0.5, -1, 3]);
  const [axes] = cardsOf(deck, 'BEAMAXES').map(numbersOf);
  const cz = Math.sqrt(Math.max(0, 1 - cx * cx - cy * cy)) * (place.sdum === 'NEGATIVE' ? -1 : 1);
  const along = axes === undefined ? [cx, cy, cz] : axes.slice(3);
  for (const [axis, cosine] of along.entries()) {
    // where a beam is across z, the third cosine is the root of what rounding left
    const tolerance = axis === 2 && axes === undefined ? 2e-4 : 1e-7;
    expect(Math.abs(cosine - (direction[axis] ?? 0) / length)).toBeLessThan(tolerance);
  }
  if (axes === undefined) return;
  const [across, forward] = [axes.slice(0, 3), axes.slice(3)];
  expect(Math.abs(across.reduce((sum, value, axis) => sum + value * (forward[axis] ?? 0), 0))).toBeLessThan(1e-7);
  expect(Math.abs(Math.hypot(...across) - 1)).toBeLessThan(1e-7);
  expect([cx, cy, place.sdum]).toEqual([0, 0, '']);
}

describe('materials of simB decks', () => {
  const fractionsOf = (icru: number): Map<number, number> =>
    new Map(findMaterial(icru)?.composition.map(({ z, fraction }) => [z, fraction]));
  const withMaterial = (changes: Json, overrides: Json = {}): Project =>
    readProject(
      buildProject({
        '/materialManager/materials/0': { ...material('x', 'X', 276, 1), ...changes },
        '/zoneManager/zones/0/materialUuid': 'x',
        '/zoneManager/zones/0/materialPropertiesOverrides': overrides,
      }),
    );

  it.each(listMaterials().map(({ icru, name }) => [icru, name] as const))(
    'have density, composition and mean excitation energy of ICRU %i, %s',
    (icru) => {
      const library = findMaterial(icru);
      if (library === undefined) throw new Error('the library knows its materials');
      const { deck } = read(withMaterial({ icru, density: library.densityGcm3 }));
      const found = readSimBMaterials(deck, fractionsOf);
      const written = found.materials.get(found.nameOfRegion('region0'));
      expectClose(written?.densityGcm3, library.densityGcm3);
      // the simulator knows its own materials and elements; a sum over elements is none of theirs
      const isOwn = !found.nameOfRegion('region0').startsWith('COM');
      if (isOwn && written?.ionisationEv === undefined) expect(cardsOf(deck, 'MAT-PROP')).toEqual([]);
      else expectClose(written?.ionisationEv, ionisationEv(library, 'icru49'));
      expect(new Set(written?.fractions.keys())).toEqual(new Set(library.composition.map(({ z }) => z)));
      for (const { z, fraction } of library.composition) {
        expect(Math.abs((written?.fractions.get(z) ?? 0) - fraction)).toBeLessThan(1e-6);
      }
    },
  );

  it('keep names of the simulator only where nothing about them is changed', () => {
    const nameOf = (changes: Json, overrides: Json = {}): string =>
      readSimBMaterials(read(withMaterial(changes, overrides)).deck).nameOfRegion('region0');
    expect(nameOf({})).toBe('WATER');
    expect(nameOf({ density: 0.99 })).toBe('WATER');
    expect(nameOf({}, { density: 0.99 })).toBe('COM00001');
    expect(nameOf({ averageIonisationPotential: 80 })).toBe('COM00001');
    expect(nameOf({ icru: 82, density: 11.35 })).toBe('LEAD');
    expect(nameOf({ icru: 82 }, { density: 11.3 })).toBe('MAT00001');
    expect(nameOf({ icru: 1000, density: 0 })).toBe('VACUUM');
    expect(nameOf({ icru: 0, density: 0 })).toBe('BLCKHOLE');
  });

  it('have data for slow neutrons in every element that a card defines', () => {
    for (const { icru, densityGcm3 } of listMaterials()) {
      const { deck } = read(withMaterial({ icru, density: densityGcm3 }));
      const defined = cardsOf(deck, 'MATERIAL').filter(({ whats }) => Number(whats[0]) > 0);
      expect(cardsOf(deck, 'LOW-MAT').map(({ whats }) => whats[0])).toEqual(defined.map(({ sdum }) => sdum));
    }
  });

  it('refuse what no library knows', () => {
    expect(() => convert(withMaterial({ icru: 500, density: 1 }))).toThrow(/no material has the ICRU id 500/);
  });
});

const KEYWORDS = ['Dose', 'DoseGy', 'DDD', 'Energy', 'Fluence'];
const scoring = fc.array(
  fc.record({
    detectorUuid: fc.constantFrom('mesh', 'cylinder', 'all'),
    keywords: fc.array(fc.constantFrom(...KEYWORDS), { minLength: 1, maxLength: 4 }),
    hasFilter: fc.boolean(),
    name: fc.string({ maxLength: 20 }),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('scorers of simB decks', () => {
  it('are found by the units and names of the manifest, and have the bins, particles and filters of the project', () => {
    fc.assert(
      fc.property(randomProject, scoring, (json, outputs) => {
        const kept = keepGeometry(json);
        const made = outputs.map(({ detectorUuid, keywords, hasFilter, name }, index) =>
          output(
            `output-${index}`,
            name,
            detectorUuid,
            keywords.map((keyword, number) => ({
              ...quantity(`q-${index}-${number}`, `${keyword}${name}`, keyword),
              ...(hasFilter ? { filter: 'protons' } : {}),
            })),
          ),
        );
        const rules = [
          { uuid: 'z', keyword: 'Z', operator: '==', value: 1 },
          { uuid: 'a', keyword: 'A', operator: '==', value: 1 },
        ];
        const filters = [{ uuid: 'protons', name: 'Protons', rules }];
        const project = readProject({ ...kept, scoringManager: { outputs: made, filters } });
        const { conversion, deck } = read(project);
        const scorers = readScorers(deck);
        const pages = conversion.manifest.estimators.flatMap((estimator) => estimator.pages);
        expect(scorers.size).toBe(pages.length);
        expect(pages.map((page) => page.quantityUuid)).toEqual(
          made.flatMap((one) => (one.quantities as { uuid: string }[]).map(({ uuid }) => uuid)),
        );
        for (const page of pages)
          expectScorer(page, scorers, outputs[Number(page.quantityUuid.split('-')[1])]?.hasFilter ?? false);
      }),
      { numRuns: 60 },
    );
  });
});

interface BinScorer {
  readonly kind: number;
  readonly what: string;
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly filter: string | undefined;
}

/** USRBIN pairs by unit and name, each with the AUXSCORE that counts it. */
function readScorers(deck: SimBDeck): Map<string, BinScorer> {
  const scorers = new Map<string, BinScorer>();
  const filters = new Map(cardsOf(deck, 'AUXSCORE').map(({ whats }) => [Number(whats[3]), whats[1] ?? '']));
  const cards = cardsOf(deck, 'USRBIN');
  for (let pair = 0; 2 * pair < cards.length; pair += 1) {
    const [first, second] = cards.slice(2 * pair, 2 * pair + 2);
    if (first === undefined || second?.sdum !== '&') throw new Error('USRBIN takes two cards');
    const key = `${-Number(first.whats[2])} ${first.sdum.toLowerCase()}`;
    if (scorers.has(key)) throw new Error(`${key} twice`);
    scorers.set(key, {
      kind: Number(first.whats[0]),
      what: first.whats[1] ?? '',
      first: first.whats.slice(3).map(Number),
      second: second.whats.map(Number),
      filter: filters.get(pair + 1),
    });
  }
  return scorers;
}

function expectScorer(page: ManifestPage, scorers: ReadonlyMap<string, BinScorer>, hasFilter: boolean): void {
  const { source } = page;
  const scorer = scorers.get(`${source?.file ?? ''} ${source?.item.toLowerCase() ?? ''}`);
  if (source === undefined || scorer === undefined) throw new Error(`${page.name} is not scored`);
  const isFluence = source.keyword === 'Fluence';
  const quantities: Readonly<Record<string, string>> = { Energy: 'ENERGY', Fluence: hasFilter ? 'PROTON' : 'ALL-PART' };
  expect(scorer.what).toBe(quantities[source.keyword] ?? 'DOSE');
  expect(scorer.filter).toBe(hasFilter && !isFluence ? 'PROTON' : undefined);
  const axes = source.axes ?? [];
  if (axes.length === 0) {
    // everywhere: one bin around the world of 40 cm
    expect([...scorer.first, ...scorer.second]).toEqual([20, 20, 20, -20, -20, -20, 1, 1, 1]);
    expect([scorer.kind, source.binVolumeCm3]).toEqual([10, 64_000]);
    return;
  }
  const [one, two, three] = axes;
  if (one?.name === 'x') {
    expect(scorer.kind).toBe(10);
    expect(scorer.first).toEqual([one.upper, two?.upper, three?.upper]);
    expect(scorer.second).toEqual([one.lower, two?.lower, three?.lower, one.bins, two?.bins, three?.bins]);
  } else {
    expect(scorer.kind).toBe(11);
    expect(scorer.first).toEqual([one?.upper, 0, three?.upper]);
    expect(scorer.second).toEqual([one?.lower, 1, three?.lower, one?.bins, 1, three?.bins]);
  }
}

describe('any project', () => {
  it('becomes a deck that can be read, or is refused with what cannot be done', () => {
    expectReadOrRefused((project) => readSimBMaterials(read(project).deck));
  });
});

describe('zones and spectra of simB decks', () => {
  const ZONE_UUID = '22222222-0000-4000-8000-000000000001';
  const IN_ZONE = {
    uuid: 'in-zone',
    name: 'Zone',
    geometryData: { geometryType: 'Zone', parameters: { zoneUuid: ZONE_UUID } },
  };
  const axis = (diffType: string, isLog: boolean): Json => ({
    diffType,
    lowerLimit: 0.5,
    upperLimit: 200,
    binsNumber: 40,
    isLog,
  });

  it('are tracks in the region of the zone, in GeV, by particle or isotope', () => {
    const isotope = { uuid: 'carbon', name: 'C-11', particle: { id: 25, z: 6, a: 11 } };
    const { conversion, deck } = read(
      readProject(
        buildProject({
          '/detectorManager/detectors/2': IN_ZONE,
          '/scoringManager/filters/1': isotope,
          '/scoringManager/outputs': [
            output('o', 'zone', 'in-zone', [
              quantity('q1', 'Dose', 'Dose'),
              {
                ...quantity('q2', 'Protons', 'Fluence'),
                modifiers: [axis('E', true)],
                filter: '77777777-0000-4000-8000-000000000001',
              },
              { ...quantity('q3', 'Carbon', 'Fluence'), modifiers: [axis('E', false)], filter: 'carbon' },
            ]),
          ],
        }),
      ),
    );
    expect(cardsOf(deck, 'USRBIN').map(({ whats }) => whats)).toEqual([
      ['12.0', 'DOSE', '-21.0', 'region0', '', ''],
      ['region0', '', '', '1.0', '', ''],
    ]);
    expect(cardsOf(deck, 'USRTRACK').map(({ whats }) => whats)).toEqual([
      ['-1.0', 'PROTON', '-22.0', 'region0', '1.0', '40.0'],
      ['0.2', '0.0005', '', '', '', ''],
      ['1.0', 'ALL-CHAR', '-22.0', 'region0', '1.0', '40.0'],
      ['0.2', '0.0005', '', '', '', ''],
    ]);
    expect(onlyCard(deck, 'AUXSCORE').whats).toEqual(['USRTRACK', '-1100600.0', '', '2.0', '2.0', '1.0']);
    expect(conversion.manifest.estimators[0]?.pages.map(({ source }) => source?.file)).toEqual(['21', '22', '22']);
  });

  it('are refused where slow neutrons would be scored in groups beside other particles', () => {
    const isRefused = (lowerLimit: number, filter: string | undefined): boolean => {
      const scored = {
        ...quantity('q', 'Spectrum', 'Fluence'),
        filter,
        modifiers: [{ ...axis('E', true), lowerLimit }],
      };
      const rules = [{ uuid: 'z', keyword: 'Z', operator: '!=', value: 0 }];
      const changes = {
        '/detectorManager/detectors/2': IN_ZONE,
        '/scoringManager/filters/1': { uuid: 'charged', name: 'Charged', rules },
        '/scoringManager/outputs': [output('o', 'zone', 'in-zone', [scored])],
      };
      try {
        convert(readProject(buildProject(changes)));
        return false;
      } catch (err) {
        expect(err).toMatchObject({
          items: [{ path: '/scoringManager/outputs/0/quantities/0/modifiers/0/lowerLimit' }],
        });
        return true;
      }
    };
    expect(isRefused(19, undefined)).toBe(true);
    expect(isRefused(20, undefined)).toBe(false);
    expect(isRefused(1, 'charged')).toBe(false);
  });

  it('of neutrons alone are in the groups that the file of the simulator names, and a warning says so', async () => {
    const filter = { uuid: 'n', name: 'Neutrons', particle: { id: 1, name: 'Neutron', a: 1, z: 0 } };
    const scored = { ...quantity('q', 'Slow', 'Fluence'), filter: 'n', modifiers: [axis('E', true)] };
    const changes = {
      '/detectorManager/detectors/2': IN_ZONE,
      '/scoringManager/filters/1': filter,
      '/scoringManager/outputs': [output('o', 'zone', 'in-zone', [scored])],
    };
    const { conversion, deck } = read(readProject(buildProject(changes)));
    expect(cardsOf(deck, 'USRTRACK')[0]?.whats[1]).toBe('NEUTRON');
    expect(conversion.warnings).toContainEqual({ code: 'NEUTRON_GROUPS', message: expect.stringContaining('20 MeV') });
    const groups = [0.02, 0.001, 1e-11];
    const grid = { low: 0.0005, high: 0.2, bins: 2 };
    const track = { name: 'Slow', type: -1, volume: 1, particle: 8, groups, grid, data: [9, 8, 7, 6] };
    const folder = folderOf({
      ...conversion.files,
      'fl_sim001_fort.21': writeUsrtrack(writeUsrHead(new BinaryWriter(), 10), track).bytes(),
    });
    const { pages } = await readOutputs(folder, 'simB', 10);
    expect(pages).toMatchObject([{ estimatorName: 'zone', pageName: 'Slow', unit: 'cm/prim/(MeV)' }]);
    // groups to 1 and to 20 MeV, and what lies above in the second bin
    expect(pages[0]?.axes.map(({ centers }) => centers)).toEqual([
      [1e-4, 20 ** 0.5, 4000 ** 0.5].map((center) => expect.closeTo(center, 5)),
    ]);
    expect([...(pages[0]?.moments[0] ?? [])]).toEqual([6, 7, 8].map((value) => expect.closeTo(value / 100, 9)));
  });

  it('have one scale of energy in a deck', () => {
    const filter = '77777777-0000-4000-8000-000000000001';
    const scored = { ...quantity('q', 'Spectrum', 'Fluence'), filter, modifiers: [axis('ENUC', true)] };
    const changes = {
      '/detectorManager/detectors/2': IN_ZONE,
      '/scoringManager/outputs': [output('o', 'zone', 'in-zone', [scored])],
    };
    const [scale, spectrum] = cardsOf(read(readProject(buildProject(changes))).deck, 'USRTRACK');
    expect([scale?.sdum, scale?.whats.join('')]).toEqual(['EN-NUCL', '']);
    expect(spectrum?.sdum).toBe('Spectrum');
  });
});

describe('physics of simB decks', () => {
  const physicsCards = (changes: Json): string[] =>
    read(readProject(buildProject(changes)))
      .deck.cards.filter(({ codeword }) => ['IONFLUCT', 'DELTARAY', 'MULSOPT'].includes(codeword))
      .map(({ codeword, whats }) => [codeword, ...whats].join(' ').trim());

  it('switch straggling and scattering off by cards, and only then', () => {
    expect(physicsCards({})).toEqual([]);
    expect(physicsCards({ '/physic/energyModelStraggling': 'no straggling' })).toEqual([
      'IONFLUCT -1.0 -1.0  HYDROGEN @LASTMAT',
      'DELTARAY -1.0   HYDROGEN @LASTMAT',
    ]);
    expect(physicsCards({ '/physic/multipleScattering': 'no scattering' })).toEqual([
      'MULSOPT  3.0 3.0 HYDROGEN @LASTMAT',
    ]);
  });
});
