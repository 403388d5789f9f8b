import { describe, expect, it } from '@jest/globals';
import { simulate, type TransportProblem } from '@tally/engine';
import fc from 'fast-check';
import { convertProject } from '../../src/convert-project.js';
import { readProject } from '../../src/project/read-project.js';
import { createReferenceDriver } from '../../src/reference/reference-driver.js';
import { findDriver } from '../../src/registry.js';
import { adoptForReference } from '../../src/sim-a/reference/read-deck.js';
import { SIM_TYPES } from '../../src/sim-type.js';
import { buildProject, detector, IDS, type Json, output, quantity } from '../build-project.js';

/** Nothing of it is unused. */
const ALL_USED = { '/zoneManager/zones/0/unionOperations/1': [{ mode: 'union', objectUuid: IDS.insert }] };
const TASK = { primaries: 40, firstHistory: 0, seed: '7' };
const DRIVERS = [
  ...SIM_TYPES.map((simType) => [simType, findDriver(simType, 'editor', new Map([[simType, '']]))] as const),
  ['the built-in engine', createReferenceDriver('simA')] as const,
];

const WORLD = '/zoneManager/worldZone';
const AIR = { uuid: IDS.vacuum, name: 'AIR, DRY (NEAR SEA LEVEL)', sanitizedName: 'air_dry_near_sea_level', icru: 104 };
const NONSENSE = { x: Number.NaN, type: 7 };

/** What projects of the field's editor have, and what is said of it. Each stands on its own and beside every other. */
const TRAITS: Readonly<Record<string, { readonly changes: Json; readonly warnings?: readonly string[] }>> = {
  'a cylindrical world whose inner radius is its radius': {
    changes: { [`${WORLD}/geometryData/parameters/innerRadius`]: 6 },
  },
  'the placeholder 1 for the density of every material, air included': {
    changes: {
      '/materialManager/materials/0/density': 1,
      '/materialManager/materials/1': { ...AIR, density: 1 },
      '/materialManager/materials/2/density': 1,
    },
    warnings: ['MATERIAL_DENSITY_UNUSED'],
  },
  'a source-to-axis distance beside a simple source': {
    changes: { '/beam/sad': { type: 'double', x: 200, y: 256 }, '/beam/sourceType': 'simple' },
    warnings: ['HIDDEN_VALUE_UNUSED'],
  },
  'values of no kind in forms that it does not show': {
    changes: {
      '/physic': NONSENSE,
      '/specialComponentsManager': { CTCube: NONSENSE, modulator: NONSENSE },
      '/beam/divergence': NONSENSE,
      '/beam/sourceFile': NONSENSE,
      '/beam/energyLowCutoff': 1e300,
      '/beam/energyHighCutoff': -1,
      '/figureManager/figures/0/simulationMaterial': NONSENSE,
      '/figureManager/figures/0/children': NONSENSE,
      '/scoringManager/outputs/0/quantities/0/histogramNBins': Number.POSITIVE_INFINITY,
      '/scoringManager/outputs/0/quantities/0/medium': NONSENSE,
      '/scoringManager/outputs/0/zoneUuid': 'of a zone that was',
      '/scoringManager/outputs/0/scoringType': 'DETECTOR',
      '/project/simulator': 'common',
    },
    warnings: ['HIDDEN_VALUE_UNUSED'],
  },
  'the format 0.13, which has particles by number': {
    changes: {
      '/metadata/version': '0.13',
      '/beam/particle': { pdg: 2212 },
      '/scoringManager/filters/0': { uuid: IDS.protons, name: 'Protons', particle: { pdg: 2212 } },
    },
  },
  'a version that is not known': {
    changes: { '/metadata/version': '1.2' },
    warnings: ['FORMAT_VERSION_UNKNOWN'],
  },
  'members missing that came later': {
    changes: {
      '/beam/energyUnit': undefined,
      '/beam/sigma': undefined,
      '/beam/numberOfParticles': undefined,
      '/figureManager/figures/1/geometryData/rotation': undefined,
    },
  },
  'quantities in "active"': {
    changes: {
      '/scoringManager/outputs/1/quantities': { active: [quantity(IDS.meshDose, 'Dose', 'Dose')], disabled: [] },
    },
  },
  'a zone that reaches beyond the world': {
    changes: { '/figureManager/figures/0/geometryData/parameters/depth': 30 },
    warnings: ['WORLD_EXTENDED'],
  },
  'a world of black hole around a zone that fills it': {
    changes: {
      '/materialManager/materials/1': { uuid: IDS.vacuum, name: 'BLACK HOLE', icru: 0 },
      [`${WORLD}/geometryData`]: {
        geometryType: 'HollowCylinderGeometry',
        position: [0, 0, 10],
        parameters: { innerRadius: 5, radius: 5, depth: 20 },
      },
      '/beam/position': [0, 0, 1],
    },
  },
  'a detector of no zone that nothing uses': {
    changes: { '/detectorManager/detectors/2': detector('none', 'None', 'Zone', [0, 0, 0], { zoneUuid: '' }) },
    warnings: ['DETECTOR_UNUSED'],
  },
  'a filter that is not finished and that nothing uses': {
    changes: { '/scoringManager/filters/1': { uuid: 'half', name: 'Half', rules: [{ keyword: 'A', operator: '' }] } },
    warnings: ['FILTER_UNUSED'],
  },
};

/** Converts for every driver, runs it on the engine, and simA's deck as files on the engine; gives what each driver says. */
async function runEverywhere(json: Json): Promise<string[][]> {
  const project = readProject(json);
  const conversions = DRIVERS.map(([, driver]) => convertProject(driver, project, 'refuse'));
  const problem = JSON.parse(conversions.at(-1)?.files['problem.json'] ?? '') as TransportProblem;
  const { pages } = await simulate(problem, TASK);
  expect(pages.length).toBe(project.scoringManager.outputs.flatMap(({ quantities }) => quantities).length);
  expect(Math.max(...(pages[0]?.moments[0] ?? []))).toBeGreaterThan(0);
  const files = adoptForReference(conversions[0]?.files ?? {}).files['problem.json'] ?? '';
  expect((await simulate(JSON.parse(files) as TransportProblem, TASK)).pages).toHaveLength(pages.length);
  return conversions.map(({ warnings }) => [...new Set(warnings.map(({ code }) => code))]);
}

describe('a project that has', () => {
  it.each(Object.entries(TRAITS))('%s runs everywhere', async (_trait, { changes, warnings = [] }) => {
    for (const codes of await runEverywhere(buildProject({ ...ALL_USED, ...changes }))) expect(codes).toEqual(warnings);
  });

  it('several of these runs everywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(Object.values(TRAITS), { minLength: 2 }), async (traits) => {
        const changes = Object.assign({}, ...traits.map((trait) => trait.changes)) as Json;
        const isUnsaid = (code: string): boolean => !traits.some(({ warnings = [] }) => warnings.includes(code));
        const codes = (await runEverywhere(buildProject({ ...ALL_USED, ...changes }))).flat();
        expect(codes.filter(isUnsaid)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a density that stands with a material', () => {
  it('goes into no deck: it is the same as without', () => {
    const { changes } = TRAITS['the placeholder 1 for the density of every material, air included'] ?? { changes: {} };
    const without = { ...changes, '/materialManager/materials/1': AIR };
    for (const index of [0, 2]) Object.assign(without, { [`/materialManager/materials/${index}/density`]: undefined });
    for (const [, driver] of DRIVERS) {
      const decks = [changes, without].map((change) => driver.convert(readProject(buildProject(change))).files);
      expect(decks[0]).toEqual(decks[1]);
    }
  });

  it('is not that of an override, which counts', () => {
    const heavier = buildProject({
      '/zoneManager/zones/0/customMaterial': { uuid: IDS.water, name: 'WATER, LIQUID', icru: 276, density: 3 },
      '/zoneManager/zones/0/materialPropertiesOverrides': { density: 1.2 },
      '/scoringManager/outputs': [output('o', 'O', IDS.mesh, [quantity('q', 'Q', 'Dose')])],
    });
    const problem = JSON.parse(
      createReferenceDriver('simA').convert(readProject(heavier)).files['problem.json'] ?? '',
    ) as TransportProblem;
    expect(problem.materials.find(({ icru }) => icru === 276)?.densityGcm3).toBe(1.2);
  });
});
