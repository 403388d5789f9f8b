import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { beamEnergyFields } from './beam.js';
import { worldGeometrySchema } from './figure.js';
import { isObject, type JsonObject, memberOf } from './json.js';
import { findSpecies, type Particle } from './particle.js';
import { PHYSICS_DEFAULTS } from './physics.js';
import { KEYWORDS_WITH_KERMA_MEDIUM, KEYWORDS_WITH_MEDIUM, SCALABLE_KEYWORDS, SPECTRUM } from './scoring.js';

/** What a project can be set to in the editor, which has other forms for each. */
export const EDITOR_SIMULATORS = ['common', 'shieldhit', 'fluka', 'geant4'] as const;
type EditorSimulator = (typeof EDITOR_SIMULATORS)[number];

/** What decides whether the editor shows a value. */
export interface Surroundings {
  /** `undefined` in files of old editors, which showed everything. */
  readonly simulator: EditorSimulator | undefined;
  readonly beam: JsonObject;
  /** The object that the value is in, and what that is in. */
  readonly owner: JsonObject;
  readonly ownersOwner: JsonObject;
}

/** A value that the editor's forms show only sometimes. */
export interface HiddenValue {
  /** Where: a JSON pointer with `*` for every item of a list. */
  readonly pattern: string;
  /** When the editor shows it, for people: "the editor shows it …". */
  readonly shown: string;
  readonly isShown: (around: Surroundings) => boolean;
  /** Kept all the same while it is of this kind, for decks that have it; without `isUntouched` without a word. */
  readonly keptAs?: z.ZodType;
  /** Stands there instead; absent: what the schema has for a member that is not there. */
  readonly instead?: unknown;
  /** What the editor itself leaves there: dropped, or kept, without a word. */
  readonly isUntouched?: (value: unknown) => boolean;
}

/** The editor's. */
const ENERGY_DEFAULT = 150;
const SPREAD_DEFAULT = 1.5;
const QUANTITY = '/scoringManager/outputs/*/quantities/*';
const FILTER = '/scoringManager/filters/*';
/** For members of which some are shown. */
const AN_OBJECT = z.looseObject({});
const FOR_SHIELDHIT = { shown: 'for SHIELD-HIT12A only', isShown: isSetTo('shieldhit') };
const FOR_GEANT4 = { shown: 'for Geant4 only', isShown: isSetExactlyTo('geant4') };
const NOT_FOR_GEANT4 = { shown: 'for all but Geant4', isShown: isSetTo('common', 'shieldhit', 'fluka') };
const FOR_FILE = { shown: 'for a beam from a file only', isShown: isFromFile };
const NOT_FOR_FILE = { shown: 'for a beam that is from no file', isShown: isFromNoFile };

const BEAM: readonly HiddenValue[] = [
  { pattern: '/beam/sourceType', ...FOR_SHIELDHIT, isUntouched: isOneOf('simple') },
  { pattern: '/beam/sourceFile', ...FOR_FILE, isUntouched: (file) => (memberOf(file, 'value') ?? '') === '' },
  { pattern: '/beam/sad', ...FOR_FILE, isUntouched: (sad) => memberOf(sad, 'type') === 'none' },
  {
    pattern: '/beam/sad/x',
    shown: 'for the types single and double',
    isShown: ({ owner }) => owner.type !== 'none',
    isUntouched: isOneOf(0),
  },
  {
    pattern: '/beam/sad/y',
    shown: 'for the type double',
    isShown: ({ owner }) => owner.type === 'double',
    isUntouched: isOneOf(0),
  },
  // decks have the energy also beside a file, whose energies are its own; of spots without a spread there is none
  {
    pattern: '/beam/energy',
    ...NOT_FOR_FILE,
    keptAs: beamEnergyFields.energy,
    instead: ENERGY_DEFAULT,
    isUntouched: isOneOf(ENERGY_DEFAULT),
  },
  { pattern: '/beam/energySpread', ...NOT_FOR_FILE, instead: 0, isUntouched: isOneOf(0, SPREAD_DEFAULT) },
  { pattern: '/beam/energyUnit', ...NOT_FOR_FILE, keptAs: beamEnergyFields.energyUnit },
  {
    pattern: '/beam/energyUnit',
    shown: 'for nuclei only',
    isShown: ({ owner }) => findSpecies((owner.particle ?? {}) as Particle)?.a !== 0,
    isUntouched: isOneOf('MeV'),
  },
  ...(['energyLowCutoff', 'energyHighCutoff'] as const).map((key) => ({
    pattern: `/beam/${key}`,
    shown: 'for SHIELD-HIT12A and Geant4, for a beam that is from no file',
    isShown: (around: Surroundings) => isSetTo('shieldhit', 'geant4')(around) && isFromNoFile(around),
    isUntouched: isOneOf(0, 1000),
  })),
  {
    pattern: '/beam/divergence',
    shown: 'for SHIELD-HIT12A, for a beam that is from no file',
    isShown: (around) => isSetTo('shieldhit')(around) && isFromNoFile(around),
    isUntouched: (divergence) => isObject(divergence) && Object.values(divergence).every((value) => value === 0),
  },
  { pattern: '/beam/sigma', ...NOT_FOR_FILE, isUntouched: isOneOf({ type: 'Gaussian', x: 0, y: 0 }) },
  {
    pattern: '/beam/sigma/x',
    shown: 'for Gaussian and square beams',
    isShown: ({ owner }) => owner.type !== 'Flat circular',
    isUntouched: isOneOf(0),
  },
];

const PHYSICS: readonly HiddenValue[] = [
  { pattern: '/physic', ...FOR_SHIELDHIT, keptAs: AN_OBJECT },
  ...Object.entries(PHYSICS_DEFAULTS).map(([key, usual]) => ({
    pattern: `/physic/${key}`,
    ...FOR_SHIELDHIT,
    isUntouched: isOneOf(usual),
  })),
  { pattern: '/specialComponentsManager', ...FOR_SHIELDHIT, keptAs: AN_OBJECT },
  { pattern: '/specialComponentsManager/CTCube', ...FOR_SHIELDHIT },
  { pattern: '/specialComponentsManager/modulator', ...FOR_SHIELDHIT },
];

const GEOMETRY: readonly HiddenValue[] = [
  { pattern: '/zoneManager', ...NOT_FOR_GEANT4, keptAs: AN_OBJECT },
  { pattern: '/zoneManager/zones', ...NOT_FOR_GEANT4, isUntouched: isEmptyList },
  { pattern: '/zoneManager/worldZone', ...NOT_FOR_GEANT4, isUntouched: () => true },
  {
    pattern: '/zoneManager/worldZone/geometryData',
    shown: 'where it is not calculated',
    isShown: ({ owner }) => owner.autoCalculate !== true,
    keptAs: worldGeometrySchema,
  },
  {
    pattern: '/zoneManager/zones/*/materialPropertiesOverrides/customStoppingPower',
    ...FOR_SHIELDHIT,
    isUntouched: isOneOf(false),
  },
  { pattern: '/figureManager/figures/*/children', ...FOR_GEANT4, isUntouched: isEmptyList },
  { pattern: '/figureManager/figures/*/simulationMaterial', ...FOR_GEANT4, isUntouched: () => true },
  {
    pattern: '/detectorManager/detectors/*/geometryData/position',
    shown: 'for meshes and cylinders',
    isShown: ({ owner }) => owner.geometryType !== 'Zone' && owner.geometryType !== 'All',
    isUntouched: () => true,
  },
];

const SCORING: readonly HiddenValue[] = [
  { pattern: '/scoringManager/outputs/*/scoringType', ...NOT_FOR_GEANT4, isUntouched: isOneOf('DETECTOR') },
  {
    pattern: '/scoringManager/outputs/*/detectorUuid',
    shown: 'for scoring in a detector',
    isShown: ({ owner }) => owner.scoringType !== 'ZONE',
    isUntouched: () => true,
  },
  {
    pattern: '/scoringManager/outputs/*/zoneUuid',
    shown: 'for scoring in a zone',
    isShown: ({ owner }) => owner.scoringType === 'ZONE' || typeof owner.detectorUuid !== 'string',
    isUntouched: () => true,
  },
  { pattern: '/scoringManager/outputs/*/trace', shown: 'nowhere', isShown: () => false, isUntouched: isOneOf(false) },
  { pattern: `${QUANTITY}/modifiers`, ...NOT_FOR_GEANT4, isUntouched: isEmptyList },
  { pattern: `${QUANTITY}/medium`, ...forKeywords(KEYWORDS_WITH_KERMA_MEDIUM) },
  ...['materialUuid', 'customMaterial', 'materialPropertiesOverrides'].map((key) => ({
    pattern: `${QUANTITY}/${key}`,
    ...forKeywords(KEYWORDS_WITH_MEDIUM),
    isUntouched: isOneOf({}),
  })),
  { pattern: `${QUANTITY}/primaries`, ...forKeywords(SCALABLE_KEYWORDS) },
  { pattern: `${QUANTITY}/rescale`, ...FOR_SHIELDHIT, isUntouched: isOneOf(1) },
  ...['histogramNBins', 'histogramMin', 'histogramMax', 'histogramUnit', 'histogramXBinScheme', 'histogramXScale'].map(
    (key) => ({
      pattern: `${QUANTITY}/${key}`,
      shown: `for ${SPECTRUM}`,
      isShown: ({ owner }: Surroundings) => owner.keyword === SPECTRUM,
      isUntouched: () => true,
    }),
  ),
  {
    pattern: `${FILTER}/data/particleTypes`,
    shown: 'for filters of particles',
    isShown: ({ ownersOwner: { filterType } }) => /particle/i.test(String(filterType)),
    isUntouched: () => true,
  },
  ...['kineticEnergyLow', 'kineticEnergyHigh', 'kineticEnergyUnit'].map((key) => ({
    pattern: `${FILTER}/data/${key}`,
    shown: 'for filters of energies',
    isShown: ({ ownersOwner: { filterType } }: Surroundings) => /kineticEnergy/i.test(String(filterType)),
    isUntouched: () => true,
  })),
];

/**
 * Every value that a user of the editor may not see (forms of the editor, 0.12 and 0.13). The order matters: whether a
 * value is shown may follow from one that has been dropped before it.
 */
export const HIDDEN_VALUES: readonly HiddenValue[] = [...BEAM, ...PHYSICS, ...GEOMETRY, ...SCORING];

function isSetTo(...simulators: readonly EditorSimulator[]) {
  return ({ simulator }: Surroundings): boolean => simulator === undefined || simulators.includes(simulator);
}

/** Only projects that say so have a tree of figures. */
function isSetExactlyTo(wanted: EditorSimulator) {
  return ({ simulator }: Surroundings): boolean => simulator === wanted;
}

function isFromFile({ beam }: Surroundings): boolean {
  return memberOf(beam, 'sourceType') === 'file';
}

function isFromNoFile(around: Surroundings): boolean {
  return !isFromFile(around);
}

function forKeywords(keywords: readonly string[]): Pick<HiddenValue, 'shown' | 'isShown'> {
  return {
    shown: `for SHIELD-HIT12A and ${keywords.join(', ')}`,
    isShown: (around) => isSetTo('shieldhit')(around) && keywords.some((keyword) => keyword === around.owner.keyword),
  };
}

function isOneOf(...values: readonly unknown[]) {
  return (value: unknown): boolean => values.some((one) => isDeepStrictEqual(one, value));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
