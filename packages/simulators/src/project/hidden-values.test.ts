import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildProject, IDS, type Json, quantity } from '../../test/build-project.js';
import { dropHiddenValues } from './drop-hidden-values.js';
import { HIDDEN_VALUES } from './hidden-values.js';
import { changeAt } from './json.js';
import { readProject } from './read-project.js';
import { upgradeProject } from './upgrade/upgrade-project.js';

/** A project of each kind with a member at every place that may be hidden. */
function fullProject(simulator: string, changes: Json = {}): Json {
  const scored = {
    ...quantity(IDS.dose, 'Dose', 'Dose'),
    medium: 'WATER',
    materialUuid: IDS.pmma,
    customMaterial: {},
    materialPropertiesOverrides: {},
    primaries: 1,
    rescale: 1,
    histogramNBins: 1,
    histogramMin: 1,
    histogramMax: 2,
    histogramUnit: 'MeV',
    histogramXBinScheme: 'linear',
    histogramXScale: 'log',
  };
  const geant4Filter = { uuid: 'named', name: 'Named', filterType: 'charged' };
  const data = { particleTypes: [], kineticEnergyLow: 1, kineticEnergyHigh: 2, kineticEnergyUnit: 'MeV' };
  return buildProject({
    '/project/simulator': simulator,
    '/specialComponentsManager': { CTCube: null, modulator: null },
    '/zoneManager/zones/0/materialPropertiesOverrides/customStoppingPower': false,
    '/figureManager/figures/0/children': [],
    '/figureManager/figures/0/simulationMaterial': { icru: 276 },
    '/detectorManager/detectors/0/geometryData/geometryType': 'All',
    '/scoringManager/outputs/0/quantities/0': scored,
    '/scoringManager/outputs/0/zoneUuid': 'stale',
    '/scoringManager/outputs/0/scoringType': 'DETECTOR',
    '/scoringManager/filters/0': { ...geant4Filter, uuid: IDS.protons, data },
    ...changes,
  });
}

/** The first place of a pattern, with another value. */
function setFirst(json: unknown, pattern: string, value: unknown): unknown {
  let isSet = false;
  return changeAt(json, pattern, (before) => {
    if (isSet) return before;
    isSet = true;
    return value;
  });
}

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'Gaussian', 0, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Places that the editor does not show in such a project, and where no value is kept all the same. */
function hiddenPatterns(json: Json): string[] {
  const ignore = (): void => undefined;
  const shown = dropHiddenValues(upgradeProject(json, ignore), ignore);
  const isThere = (project: unknown, pattern: string): boolean => setFirst(project, pattern, 'changed') !== project;
  return HIDDEN_VALUES.map(({ pattern }) => pattern).filter(
    (pattern) => isThere(json, pattern) && !isThere(shown, pattern),
  );
}

const FROM_FILE = { '/beam/sourceType': 'file', '/beam/sourceFile': { name: 'plan.dat', value: '1 2 3' } };

describe.each([
  ['common', {}],
  ['fluka', {}],
  ['geant4', {}],
  ['shieldhit', {}],
  ['shieldhit', FROM_FILE],
  ['fluka', { ...FROM_FILE, '/beam/sigma': { type: 'Flat circular', x: 0, y: 1 } }],
])('what the editor does not show of a %s project', (simulator, changes) => {
  const json = fullProject(simulator, changes);
  const { readingWarnings: _, ...plain } = readProject(json);
  const patterns = hiddenPatterns(json);

  it('may be anything: the project is the same, and a warning names what was more than a default', () => {
    expect(patterns.length).toBeGreaterThan(8);
    fc.assert(
      fc.property(fc.constantFrom(...patterns), values, (pattern, value) => {
        const { readingWarnings, ...read } = readProject(setFirst(json, pattern, value));
        expect(read).toEqual(plain);
        expect(readingWarnings.every(({ code }) => code === 'HIDDEN_VALUE_UNUSED')).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a hidden value', () => {
  it('is warned of with its place, and with when the editor shows it', () => {
    const sad = { type: 'double', x: 200, y: 256 };
    const { readingWarnings, beam } = readProject(buildProject({ '/beam/sad': sad }));
    expect(beam.sad.type).toBe('none');
    expect(readingWarnings).toEqual([
      {
        code: 'HIDDEN_VALUE_UNUSED',
        message: '/beam/sad: not used, the editor shows it for a beam from a file only',
      },
    ]);
  });

  it('in many places is one warning', () => {
    const quantities = ['a', 'b', 'c', 'd', 'e'].map((uuid) => ({ ...quantity(uuid, uuid, 'Fluence'), medium: 'AIR' }));
    const { readingWarnings } = readProject(buildProject({ '/scoringManager/outputs/0/quantities': quantities }));
    expect(readingWarnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/quantities\/0\/medium, .*\/1\/medium, .*\/2\/medium and 2 more: not used/),
    ]);
  });

  it('that the editor always leaves is no word worth', () => {
    for (const simulator of ['common', 'shieldhit', 'fluka']) {
      expect(readProject(buildProject({ '/project/simulator': simulator })).readingWarnings).toEqual([]);
    }
  });

  it('of a beam from a file stays as long as it is sound, and is warned of: decks have it beside the file', () => {
    const { beam, readingWarnings } = readProject(fullProject('shieldhit', { ...FROM_FILE, '/beam/energy': 230 }));
    expect(beam.energy).toBe(230);
    expect(readingWarnings.map(({ message }) => message)).toContainEqual(
      '/beam/energy: not used, the editor shows it for a beam that is from no file',
    );
    expect(readProject(fullProject('shieldhit', { ...FROM_FILE, '/beam/energy': -1 })).beam.energy).toBe(150);
  });

  it('of the spread of energies leaves spots that have none of their own without any', () => {
    expect(readProject(fullProject('shieldhit', FROM_FILE)).beam.energySpread).toBe(0);
    const { beam, readingWarnings } = readProject(fullProject('shieldhit', { ...FROM_FILE, '/beam/energySpread': 3 }));
    expect(beam.energySpread).toBe(0);
    expect(readingWarnings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^\/beam\/energySpread: not used/),
    );
  });

  it('of energy limits leaves the energy without any', () => {
    const limits = { '/beam/energyLowCutoff': 120, '/beam/energyHighCutoff': 130 };
    for (const simulator of ['common', 'fluka']) {
      const { beam } = readProject(buildProject({ '/project/simulator': simulator, ...limits }));
      expect([beam.energyLowCutoff, beam.energyHighCutoff]).toEqual([0, undefined]);
    }
    expect(readProject(buildProject({ '/project/simulator': 'shieldhit', ...limits })).beam.energyHighCutoff).toBe(130);
  });

  it.each([
    '/metadata',
    '/materialManager/materials/0/name',
    '/materialManager/materials/0/density',
    '/materialManager/materials/0/sanitizedName',
    '/materialManager/materials/0/customStoppingPower',
    '/materialManager/materials/0/averageIonisationPotential',
    '/physic/availableStoppingPowerFiles',
    '/zoneManager/worldZone/marginMultiplier',
    '/zoneManager/worldZone/autoCalculate',
    '/zoneManager/worldZone/materialPropertiesOverrides',
    '/zoneManager/worldZone/geometryData/rotation',
    '/detectorManager/detectors/0/geometryData/rotation',
    '/scoringManager/outputs/0/quantities/0/offset',
    '/project/simulator',
    '/beam/particle/a',
    '/beam/particle/name',
  ])('at %s, which no form has, may be anything', (pointer) => {
    for (const value of ['x', -1e308, Number.NaN, [], {}, true, null]) {
      expect(() => readProject(buildProject({ [pointer]: value }))).not.toThrow();
    }
  });
});
