import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildProject, detector, IDS, type Json, output, quantity } from '../test/build-project.js';
import { randomProject } from '../test/random-project.js';
import { ConversionError } from './conversion-error.js';
import { convertProject } from './convert-project.js';
import { isOmission } from './omission.js';
import { readProject } from './project/read-project.js';
import { createReferenceDriver } from './reference/reference-driver.js';
import { createSimADriver } from './sim-a/sim-a-driver.js';
import { createSimBDriver } from './sim-b/sim-b-driver.js';
import { createSimCDriver } from './sim-c/sim-c-driver.js';
import { createSimDDriver } from './sim-d/sim-d-driver.js';

const DRIVERS = [
  ['simA', createSimADriver('')],
  ['simB', createSimBDriver('')],
  ['simC', createSimCDriver('')],
  ['simD', createSimDDriver('')],
  ['reference', createReferenceDriver('simA')],
] as const;

function errorOf(action: () => unknown): ConversionError {
  try {
    action();
  } catch (error) {
    if (error instanceof ConversionError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function codesOf({ warnings }: { readonly warnings: readonly { readonly code: string }[] }): string[] {
  return warnings.map(({ code }) => code);
}

const PIONS = { uuid: 'pions', name: 'Pions', particle: { pdg: 211 } };
const FAST = { uuid: 'fast', name: 'Fast', rules: [{ uuid: 'r', keyword: 'NPRIM', operator: '==', value: 3 }] };

/** One quantity for each reason for which some driver refuses one. */
const QUANTITIES: readonly Json[] = [
  quantity('dose', 'Dose', 'Dose'),
  { ...quantity('by-pions', 'By pions', 'Fluence'), filter: 'pions' },
  { ...quantity('numbered', 'Numbered', 'Fluence'), filter: 'fast' },
  quantity('kerma', 'Kerma', 'NKERMA'),
  quantity('let', 'LET', 'dLET'),
  { ...quantity('pmma', 'In PMMA', 'Dose'), materialUuid: IDS.pmma },
  { ...quantity('vacuum', 'In vacuum', 'Dose'), materialUuid: IDS.vacuum },
  { ...quantity('scaled', 'Scaled', 'tLET'), rescale: 2 },
  {
    ...quantity('axis', 'By angle', 'Fluence'),
    modifiers: [{ uuid: 'm', diffType: 'ANGLE', lowerLimit: 0, upperLimit: 90, binsNumber: 3, isLog: false }],
  },
];

function mixedProject(changes: Json = {}) {
  return readProject(
    buildProject({
      '/detectorManager/detectors/2': detector('zone', 'Zone', 'Zone', [0, 0, 0], { zoneUuid: IDS.waterZone }),
      '/detectorManager/detectors/3': detector('aside', 'Aside', 'Cyl', [1, 0, 10], { radius: 2, depth: 5 }),
      '/scoringManager': {
        filters: [PIONS, FAST],
        outputs: [
          output('o1', 'mesh', IDS.mesh, [...QUANTITIES]),
          output('o2', 'aside', 'aside', [quantity('beside', 'Beside', 'Dose')]),
          output('o3', 'zone', 'zone', [quantity('in-zone', 'In zone', 'Dose')]),
        ],
      },
      ...changes,
    }),
  );
}

describe.each(DRIVERS)('a project of which %s cannot score everything', (name, driver) => {
  /** What is left out of {@link mixedProject}, by uuid. */
  const OMITTED: Readonly<Record<string, readonly string[]>> = {
    simA: ['scaled', 'vacuum', 'beside'],
    simB: ['numbered', 'kerma', 'let', 'pmma', 'vacuum', 'scaled', 'axis'],
    simC: ['numbered', 'kerma', 'let', 'pmma', 'vacuum', 'scaled', 'axis'],
    simD: ['numbered', 'kerma', 'let', 'vacuum', 'scaled', 'axis', 'in-zone'],
    reference: ['by-pions', 'vacuum', 'scaled'],
  };

  it('is refused by choice, with every place', () => {
    expect(errorOf(() => convertProject(driver, mixedProject(), 'refuse')).reason).toBe('PROJECT_UNSUPPORTED');
  });

  it('is converted by choice without that, which is listed and warned of', () => {
    const project = mixedProject();
    const { manifest, warnings } = convertProject(driver, project, 'omit');
    const all = project.scoringManager.outputs.flatMap(({ quantities }) => quantities);
    const kept = manifest.estimators.flatMap(({ pages }) => pages);
    const lost = all.filter(({ uuid }) => !kept.some(({ quantityUuid }) => quantityUuid === uuid));
    expect(lost.map(({ uuid }) => uuid).sort()).toEqual([...(OMITTED[name] ?? [])].sort());
    const said = warnings
      .filter(isOmission)
      .map(({ message }) => /^"(.*)" of output "\w+" is left out: ./.exec(message)?.[1]);
    expect(said).toEqual(lost.map((one) => one.name));
    for (const { pages } of manifest.estimators) {
      expect(pages.map(({ pageNumber }) => pageNumber)).toEqual(pages.map((_, index) => index + 1));
    }
  });

  it('is refused all the same for what changes the transport, and that alone is named', () => {
    const cube = { '/specialComponentsManager/CTCube': { uuid: 'ct' } };
    expect(errorOf(() => convertProject(driver, mixedProject(cube), 'omit')).items.map(({ path }) => path)).toEqual([
      '/specialComponentsManager/CTCube',
    ]);
  });

  it('is refused where nothing would be left, with the reasons', () => {
    const outputs = [output('o', 'only', IDS.mesh, [quantity('a', 'A', 'Magic'), quantity('b', 'B', 'Wand')])];
    const error = errorOf(() =>
      convertProject(driver, mixedProject({ '/scoringManager': { filters: [], outputs } }), 'omit'),
    );
    expect(error.items.map(({ path }) => path)).toEqual(
      [0, 1].map((index) => `/scoringManager/outputs/0/quantities/${index}/keyword`),
    );
  });

  it('may have a filter that is not finished, as long as no quantity that is scored uses it', () => {
    const rules = [{ uuid: 'r', keyword: 'A', operator: '', value: 11 }];
    const filters = [{ uuid: 'half', name: 'Half', rules }];
    const [dose, other] = [quantity('a', 'A', 'Dose'), { ...quantity('b', 'B', 'Fluence'), filter: 'half' }];
    const projectOf = (quantities: Json[]) =>
      mixedProject({ '/scoringManager': { filters, outputs: [output('o', 'O', IDS.mesh, quantities)] } });
    const unused = ['FIGURE_UNUSED', 'DETECTOR_UNUSED', 'FILTER_UNUSED'];
    expect(codesOf(convertProject(driver, projectOf([dose]), 'refuse'))).toEqual(unused);
    const { items } = errorOf(() => convertProject(driver, projectOf([dose, other]), 'refuse'));
    expect(items).toEqual([
      {
        path: '/scoringManager/filters/0/rules/0/operator',
        message: expect.stringContaining('"Half" is not finished'),
      },
    ]);
    const { warnings } = convertProject(driver, projectOf([dose, other]), 'omit');
    expect(warnings.filter(isOmission)).toEqual([
      { code: 'QUANTITY_OMITTED', message: expect.stringMatching(/^"B" of output "O" is left out: .*not finished/) },
    ]);
  });

  it('loses what it cannot score and nothing else, whatever the project', () => {
    fc.assert(
      fc.property(randomProject, (json) => {
        const project = readProject(json);
        let converted: ReturnType<typeof convertProject>;
        try {
          converted = convertProject(driver, project, 'omit');
        } catch (err) {
          expect((err as ConversionError).reason).toBe('PROJECT_UNSUPPORTED');
          return;
        }
        const { manifest, warnings, ...deck } = converted;
        const omitted = warnings.filter(isOmission);
        const pages = manifest.estimators.flatMap((estimator) => estimator.pages);
        const all = project.scoringManager.outputs.flatMap(({ quantities }) => quantities);
        expect(pages.length + omitted.length).toBe(all.length);
        if (omitted.length === 0) expect(driver.convert(project).files).toEqual(deck.files);
        expect(driver.convert(converted.project).files).toEqual(deck.files);
      }),
      { numRuns: 30 },
    );
  });
});
