import { type JsonObject, memberOf, textOf } from './json.js';

/** Lists of a project by their keys: what one item is called. */
export const ITEM_NOUNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    figures: 'figure',
    children: 'figure',
    zones: 'zone',
    detectors: 'detector',
    materials: 'material',
    outputs: 'output',
    quantities: 'quantity',
    filters: 'filter',
    modifiers: 'modifier',
    rules: 'rule',
  }),
);

/** Members that hold others and are not named themselves. */
export const CONTAINERS: ReadonlySet<string> = new Set([
  'project',
  'figureManager',
  'zoneManager',
  'detectorManager',
  'materialManager',
  'scoringManager',
  'specialComponentsManager',
  'geometryData',
  'parameters',
  'materialPropertiesOverrides',
]);

/** Members that are things, by the words for them. */
export const THING_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    beam: 'the beam',
    physic: 'the physics',
    worldZone: 'the world',
    modulator: 'the modulator',
  }),
);

/** How a project is shown, or what only programs read: nothing of it changes a result. */
export const UNSEEN_KEYS: ReadonlySet<string> = new Set([
  'metadata',
  'viewManager',
  'history',
  'uuid',
  'type',
  'visible',
  'color',
  'colorHex',
  'opacity',
  'transparent',
  'userData',
  'subscribedObjects',
  'selectedMaterials',
  'sanitizedName',
  'sanitized_name',
  'customMaterial',
]);

/** Words for members; others are told by their own names. */
const FIELD_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    numberOfParticles: 'primaries',
    materialUuid: 'material',
    detectorUuid: 'detector',
    zoneUuid: 'zone',
    objectUuid: 'figure',
    unionOperations: 'shape',
    energySpread: 'energy spread',
    energyLowCutoff: 'low energy cutoff',
    energyHighCutoff: 'high energy cutoff',
    sad: 'source-to-axis distance',
    geometryType: 'geometry',
    energyLoss: 'energy loss per step',
    enableNuclearReactions: 'nuclear reactions',
    energyModelStraggling: 'energy straggling',
    multipleScattering: 'multiple scattering',
    stoppingPowerTable: 'stopping-power table',
    sourceType: 'source',
    sourceFile: 'source file',
    binsNumber: 'bins',
    diffType: 'differential in',
    averageIonisationPotential: 'mean excitation energy',
  }),
);

/** `zSegments` → `z segments`. */
export function fieldWords(key: string): string {
  return (
    FIELD_WORDS.get(key) ??
    key.replaceAll(/([a-z0-9])([A-Z])/g, (_, low: string, high: string) => `${low} ${high.toLowerCase()}`)
  );
}

const CM_KEYS: ReadonlySet<string> = new Set([
  'position',
  'width',
  'height',
  'depth',
  'radius',
  'innerRadius',
  'distanceToFocal',
]);
const BEAM_ENERGIES: ReadonlySet<string> = new Set(['energy', 'energySpread', 'energyLowCutoff', 'energyHighCutoff']);
/** Units of the members of what stands in the beam. */
const BEAM_PART_UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({ sigma: 'cm', sad: 'cm', divergence: 'mrad' }),
);

/** Unit of a member. @param owner - the object that it stands in @param ownerKey - the key of that object */
export function unitOf(key: string, owner: JsonObject, ownerKey: string): string {
  if (CM_KEYS.has(key)) return ' cm';
  if (key === 'rotation') return '°';
  if (key === 'density') return ' g/cm³';
  if (key === 'averageIonisationPotential') return ' eV';
  if (ownerKey === 'beam' && BEAM_ENERGIES.has(key)) return ` ${textOf(owner, 'energyUnit') ?? 'MeV'}`;
  if (key === 'kineticEnergyLow' || key === 'kineticEnergyHigh')
    return ` ${textOf(owner, 'kineticEnergyUnit') ?? 'MeV'}`;
  if ((key === 'x' || key === 'y') && typeof memberOf(owner, key) === 'number') {
    const unit = BEAM_PART_UNITS.get(ownerKey);
    return unit === undefined ? '' : ` ${unit}`;
  }
  return '';
}
