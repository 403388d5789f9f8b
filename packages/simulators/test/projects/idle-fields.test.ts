import { describe, expect, it } from '@jest/globals';
import { ConversionError } from '../../src/conversion-error.js';
import { convertProject } from '../../src/convert-project.js';
import type { SimulatorDriver } from '../../src/driver.js';
import { readPrimaries, readProject } from '../../src/project/read-project.js';
import { createReferenceDriver } from '../../src/reference/reference-driver.js';
import { findDriver } from '../../src/registry.js';
import { SIM_TYPES } from '../../src/sim-type.js';
import type { Json } from '../build-project.js';
import { GOLDEN_PROJECTS } from '../golden/projects.js';

/** In so many projects each field is changed for each driver, where it means something. */
const PROJECTS_EACH = 2;

const EXECUTABLES = new Map(SIM_TYPES.map((simType) => [simType, '']));
const DRIVERS: readonly (readonly [name: string, driver: SimulatorDriver])[] = [
  ['the built-in engine', createReferenceDriver('simA')],
  ...SIM_TYPES.map((simType) => [simType, findDriver(simType, 'editor', EXECUTABLES)] as const),
];

type Leaf = string | number | boolean | null;
/** A field of a project: its keys, and what it holds. */
interface Field {
  readonly keys: readonly string[];
  readonly value: Leaf;
}

/** What names and draws things, what no form has, and what is drawn from the fields that are changed. */
const NOT_IN_FORMS =
  /\/(?:uuid|\w+Uuid|name|sanitizedName|type|title|description|version|generator|hash|color|colorHex|visible|trace|customMaterial|availableStoppingPowerFiles|marginMultiplier|autoCalculate|viewManager|history|density|worldZone\/geometryData\/rotation)(?:\/|$)/;
/** What a choice can be changed to. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  energyModelStraggling: ['Vavilov', 'Gaussian', 'no straggling'],
  multipleScattering: ['Moliere', 'Gaussian', 'no scattering'],
  stoppingPowerTable: ['ICRU49', 'ICRU91'],
  energyUnit: ['MeV', 'MeV/nucl'],
  histogramUnit: ['MeV', 'keV'],
  histogramXScale: ['none', 'log', 'log10', 'exp'],
  histogramXBinScheme: ['linear', 'log'],
  kineticEnergyUnit: ['MeV', 'keV'],
  mode: ['union', 'subtraction', 'intersection'],
  operator: ['==', '!=', '<', '>='],
  keyword: ['Dose', 'Energy', 'A', 'Z'],
  simulationMethod: ['modulus', 'sampling'],
  interpretationMode: ['material', 'vacumm'],
};
const isCount = (key: string) => /^(?:numberOfParticles|\w+Segments|histogramNBins|binsNumber)$/.test(key);

function* listFields(json: unknown, keys: readonly string[] = []): Generator<Field> {
  if (typeof json === 'object' && json !== null) {
    for (const [key, value] of Object.entries(json)) yield* listFields(value, [...keys, key]);
  } else yield { keys, value: json as Leaf };
}

function getAt(json: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], json);
}

function setAt(json: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(json)) {
    return json.map((one: unknown, index): unknown => (String(index) === key ? setAt(one, rest, value) : one));
  }
  return { ...(json as Json), [key]: setAt((json as Json)[key], rest, value) };
}

/** Something else that the field may hold; undefined: not known here. */
function otherThan({ keys, value }: Field, json: unknown): Leaf | undefined {
  const key = keys.at(-1) ?? '';
  const [energy, spread] = ['energy', 'energySpread'].map((name) => Number(getAt(json, ['beam', name])));
  // limits mean something where they cut
  if (key === 'energyLowCutoff') return (energy ?? 0) - (spread ?? 0);
  if (key === 'energyHighCutoff') return (energy ?? 0) + (spread ?? 0);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return CHOICES[key]?.find((choice) => choice !== value);
  if (typeof value !== 'number') return undefined;
  if (isCount(key)) return value + 1;
  return value === 0 ? 0.7 : value * 1.01;
}

/** Whether the field means nothing in this project, for anybody: an angle of a ball, a material that nothing is made of. */
function isIdle({ keys }: Field, json: unknown): boolean {
  const pointer = keys.join('/');
  const get = (...path: string[]) => getAt(json, path);
  const text = (...path: string[]) => JSON.stringify(get(...path) ?? null);
  const beam = get('beam') as Json;
  const isFromFile = beam.sourceType === 'file';
  const owner = getAt(json, keys.slice(0, 3)) as Json | undefined;
  const isUsedIn = (where: string) => where.includes(JSON.stringify(owner?.uuid));
  switch (keys[0]) {
    case 'beam':
      if (/^beam\/particle\/[az]$/.test(pointer)) return (beam.particle as Json).id !== 25;
      if (pointer === 'beam/energyUnit') return Number((beam.particle as Json).a ?? 0) <= 1 || isFromFile;
      // a spot on the axis comes from there whatever the distance
      if (keys[1] === 'sad' && /^\S+ 0\.0 0\.0 /.test(String((beam.sourceFile as Json).value))) return true;
      if (keys[1] === 'sad')
        return (
          !isFromFile || (beam.sad as Json).type === 'none' || (keys[2] === 'y' && (beam.sad as Json).type === 'single')
        );
      if (pointer === 'beam/divergence/distanceToFocal') return (beam.divergence as Json).x === 0;
      if (pointer === 'beam/direction/2') return text('beam', 'direction') === '[0,0,1]';
      if (pointer === 'beam/sigma/x') return (beam.sigma as Json).type === 'Flat circular';
      if (/^beam\/(?:energyLowCutoff|energyHighCutoff|sigma)/.test(pointer)) return isFromFile;
      return false;
    case 'figureManager':
      if (/rotation/.test(pointer)) {
        const { geometryType } = getAt(json, keys.slice(0, keys.indexOf('geometryData') + 1)) as Json;
        if (geometryType === 'SphereGeometry' || (geometryType !== 'BoxGeometry' && keys.at(-1) === '2')) return true;
      }
      return false;
    case 'detectorManager':
      return (
        /position|rotation/.test(pointer) &&
        ['Zone', 'All'].includes(String(getAt(owner, ['geometryData', 'geometryType'])))
      );
    case 'materialManager':
      return !isUsedIn(text('zoneManager'));
    case 'physic': {
      const materials = get('materialManager', 'materials') as Json[];
      return (
        keys[1] === 'stoppingPowerTable' &&
        !materials.some((one) => one.icru === 276 && one.averageIonisationPotential === undefined)
      );
    }
    case 'scoringManager':
      return keys.at(-1) === 'scoringType';
    default:
      return false;
  }
}

interface Answer {
  readonly text: string;
  readonly warnings: readonly string[];
  readonly isRefused: boolean;
}

function convert(driver: SimulatorDriver, json: unknown): Answer {
  try {
    const project = readProject(json);
    const { files, warnings } = convertProject(driver, project, 'refuse');
    const messages = warnings.map(({ message }) => message);
    return { text: JSON.stringify([files, readPrimaries(project), messages]), warnings: messages, isRefused: false };
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    return { text: err.message, warnings: [], isRefused: true };
  }
}

/** The deck is warned to be without what the field belongs to. */
function isWarned(json: unknown, { keys }: Field, warnings: readonly string[]): boolean {
  const names = keys.map((_, index) => (getAt(json, keys.slice(0, index)) as Json | undefined)?.name);
  return warnings.some((message) =>
    names.some((name) => typeof name === 'string' && name !== '' && message.includes(`"${name}"`)),
  );
}

describe.each(DRIVERS)('a field of a project on %s', (_, driver) => {
  it('changes the deck when it is changed, or is warned of, or refused', () => {
    const projects = Object.values(GOLDEN_PROJECTS).map((project): unknown => JSON.parse(JSON.stringify(project)));
    const bases = projects.map((json) => ({ json, base: convert(driver, json) })).filter(({ base }) => !base.isRefused);
    const tried = new Map<string, number>();
    const ineffective: string[] = [];
    for (const { json, base } of bases) {
      for (const field of listFields(json)) {
        const pattern = `/${field.keys.join('/').replaceAll(/\b\d+\b/g, '*')}`;
        const count = tried.get(pattern) ?? 0;
        if (count >= PROJECTS_EACH || NOT_IN_FORMS.test(pattern) || isIdle(field, json)) continue;
        const other = otherThan(field, json);
        if (other === undefined || isWarned(json, field, base.warnings)) continue;
        tried.set(pattern, count + 1);
        if (convert(driver, setAt(json, field.keys, other)).text !== base.text) continue;
        ineffective.push(`/${field.keys.join('/')} from ${field.value} to ${other}`);
      }
    }
    expect(ineffective).toEqual([]);
    expect(tried.size).toBeGreaterThan(50);
  });
});
