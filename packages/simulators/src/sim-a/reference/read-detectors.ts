import type { Detector, FilterRule, Modifier, Output, Quantity, Vector } from '@tally/engine';
import { FILTER_KEYWORDS, FILTER_OPERATORS } from '../../project/filter.js';
import { DETECTOR_FILE } from '../deck-files.js';
import { type DeckFaults, parseNumber, type WordLine } from './deck-reader.js';
import { type Block, findLine, isAxisLine, outputName, readBlocks, wordOf } from './detector-blocks.js';
import type { DeckGeometry } from './read-geometry.js';
import type { DeckMaterials } from './read-materials.js';

/** What `detect.dat` scores. */
export interface DeckScoring {
  readonly detectors: readonly Detector[];
  readonly outputs: readonly Output[];
  /** Quantities that are scaled to a number of primaries: no longer per primary. */
  readonly absolute: ReadonlySet<Quantity>;
  /** Line of each detector, output and quantity. */
  readonly lines: ReadonlyMap<object, number>;
}

interface Settings {
  readonly scale: number;
  readonly isAbsolute: boolean;
  readonly material?: number;
}

/** The keywords of quantities are told apart regardless of case. */
const KEYWORDS = new Map(
  [
    'Energy',
    'Dose',
    'DoseGy',
    'DDD',
    'Fluence',
    'AvgEnergy',
    'AvgBeta',
    'dLET',
    'tLET',
    'dZ2Beta2',
    'tZ2Beta2',
    'dZeff2Beta2',
    'tZeff2Beta2',
    'NKERMA',
    'ZONE',
    'MATERIAL',
    'Rho',
  ].map((keyword) => [keyword.toUpperCase(), keyword]),
);
const AXIS_TYPES = new Map(
  ['E', 'ENUC', 'EAMU', 'ANGLE', 'DEDX', 'MDEDX', 'Z', 'Zeff', 'Z2Beta2', 'Zeff2Beta2', 'TL'].map((type) => [
    type.toUpperCase(),
    type,
  ]),
);

/** Reads `detect.dat` for the built-in engine; what that cannot do goes to `faults`. */
export function readDetectors(
  text: string,
  context: { readonly geometry: DeckGeometry; readonly materials: DeckMaterials; readonly faults: DeckFaults },
): DeckScoring {
  const { faults } = context;
  const blocks = readBlocks(text, faults);
  const geometries = new Map<string, Detector | undefined>();
  const filters = new Map<string, readonly FilterRule[]>();
  const settings = new Map<string, Settings>();
  const detectors: Detector[] = [];
  const outputs: Output[] = [];
  const absolute = new Set<Quantity>();
  const lines = new Map<object, number>();
  for (const block of blocks) {
    const name = wordOf(block, 'NAME') ?? '';
    if (block.kind === 'GEOMETRY') {
      const detector = readDetector(block, name, context.geometry, faults);
      geometries.set(name, detector);
      if (detector !== undefined) lines.set(detector, block.line);
    } else if (block.kind === 'FILTER') filters.set(name, readRules(block, faults));
    else if (block.kind === 'SETTINGS') settings.set(name, readSettings(block, context.materials, faults));
    else {
      const geo = wordOf(block, 'GEO') ?? '';
      const detector = geometries.get(geo);
      if (!geometries.has(geo)) {
        faults.refuse(DETECTOR_FILE, block.line, 'must have a Geo that names a geometry above');
      }
      if (detector === undefined) continue;
      const known = detectors.indexOf(detector);
      const index = known === -1 ? detectors.push(detector) - 1 : known;
      outputs.push(readOutput(block, index, { filters, settings, absolute, lines, faults }));
    }
  }
  if (outputs.length === 0 && faults.items.length === 0)
    faults.refuse(DETECTOR_FILE, undefined, 'must have an Output: nothing would be scored');
  return { detectors, outputs, absolute, lines };
}

function readDetector(block: Block, name: string, geometry: DeckGeometry, faults: DeckFaults): Detector | undefined {
  const axis = (keyword: string): { low: number; high: number; bins: number } => {
    const line = findLine(block, keyword);
    const [low, high, bins] = (line?.words.slice(1, 4) ?? []).map(parseNumber);
    if (low !== undefined && high !== undefined && bins !== undefined && low < high && Number.isInteger(bins)) {
      return { low, high, bins };
    }
    faults.refuse(DETECTOR_FILE, line?.line ?? block.line, `must have ${keyword} with two limits and a number of bins`);
    return { low: 0, high: 1, bins: 1 };
  };
  for (const { line, words } of block.lines) {
    if (words[0]?.toUpperCase() === 'ROTATION')
      faults.refuseToScore(DETECTOR_FILE, line, 'a turned detector is not supported');
  }
  switch (block.type) {
    case 'MESH': {
      const axes = [axis('X'), axis('Y'), axis('Z')] as const;
      const each = (measure: (one: (typeof axes)[number]) => number): Vector => [
        measure(axes[0]),
        measure(axes[1]),
        measure(axes[2]),
      ];
      return {
        type: 'mesh',
        name,
        centerCm: each(({ low, high }) => (low + high) / 2),
        sizeCm: each(({ low, high }) => high - low),
        segments: each(({ bins }) => bins),
      };
    }
    case 'CYL': {
      const [r, z] = [axis('R'), axis('Z')];
      return {
        type: 'cylinder',
        name,
        centerCm: [0, 0, (z.low + z.high) / 2],
        innerRadiusCm: r.low,
        radiusCm: r.high,
        depthCm: z.high - z.low,
        radialSegments: r.bins,
        zSegments: z.bins,
      };
    }
    case 'ZONE':
      return readZoneDetector(block, name, geometry, faults);
    case 'ALL':
      return { type: 'all', name };
    default:
      faults.refuseToScore(
        DETECTOR_FILE,
        block.line,
        `a geometry of type ${block.type} is not supported by the built-in engine`,
      );
      return undefined;
  }
}

function readZoneDetector(
  block: Block,
  name: string,
  geometry: DeckGeometry,
  faults: DeckFaults,
): Detector | undefined {
  const entry = findLine(block, 'ZONE');
  const [first, last = first] = (entry?.words.slice(1, 3) ?? []).map(parseNumber);
  const zone = first === undefined ? undefined : geometry.findZone(first);
  if (zone === undefined || last !== first) {
    faults.refuse(DETECTOR_FILE, entry?.line ?? block.line, 'must name one zone of the geometry');
    return undefined;
  }
  const volume = parseNumber(wordOf(block, 'VOLUME')) ?? 1;
  if (volume !== 1) faults.warn('ZONE_VOLUME_UNUSED', `results in zone "${name}" are not divided by its volume`);
  return { type: 'zone', name, zone };
}

function readRules(block: Block, faults: DeckFaults): FilterRule[] {
  return block.lines.flatMap(({ line, words }): FilterRule[] => {
    const [word = '', sign, number] = words;
    if (word.toUpperCase() === 'NAME') return [];
    const keyword = FILTER_KEYWORDS.find((known) => known === word.toUpperCase());
    const operator = FILTER_OPERATORS.find((known) => known === sign);
    const value = parseNumber(number);
    if (keyword !== undefined && operator !== undefined && value !== undefined) return [{ keyword, operator, value }];
    faults.refuse(DETECTOR_FILE, line, `the rule "${words.join(' ')}" is not known`);
    return [];
  });
}

function readSettings(block: Block, materials: DeckMaterials, faults: DeckFaults): Settings {
  let scale = 1;
  let isAbsolute = false;
  let material: number | undefined;
  for (const { line, words } of block.lines) {
    const keyword = (words[0] ?? '').toUpperCase();
    const value = parseNumber(words[1]);
    if (keyword === 'NAME') continue;
    if ((keyword === 'RESCALE' || keyword === 'PRIMARIES') && value !== undefined) {
      scale *= value;
      isAbsolute ||= keyword === 'PRIMARIES';
    } else if (keyword === 'MEDIUM' && value !== undefined && materials.find(value) !== undefined) {
      material = materials.find(value);
    } else faults.refuseToScore(DETECTOR_FILE, line, `"${words.join(' ')}" is not supported by the built-in engine`);
  }
  return { scale, isAbsolute, ...(material === undefined ? {} : { material }) };
}

interface Selections {
  readonly filters: ReadonlyMap<string, readonly FilterRule[]>;
  readonly settings: ReadonlyMap<string, Settings>;
  readonly absolute: Set<Quantity>;
  readonly lines: Map<object, number>;
  readonly faults: DeckFaults;
}

function readOutput(block: Block, detector: number, selections: Selections): Output {
  const { faults, lines } = selections;
  const quantities: (Quantity & { modifiers: Modifier[] })[] = [];
  for (const { line, words } of block.lines) {
    const [word = '', ...rest] = words;
    const keyword = word.toUpperCase();
    if (isAxisLine(word))
      readAxis(quantities.at(-1)?.modifiers, { line, words: rest }, keyword.endsWith('TYPE'), faults);
    else if (keyword === 'QUANTITY') {
      const same = quantities.filter((quantity) => quantity.keyword === rest[0]).length;
      const quantity = readQuantity({ line, words: rest }, same, selections);
      quantities.push(quantity);
      lines.set(quantity, line);
    } else if (!['FILENAME', 'FILEFORMAT', 'GEO'].includes(keyword)) {
      faults.refuseToScore(DETECTOR_FILE, line, `"${word}" is not supported by the built-in engine`);
    }
  }
  const output = { name: outputName(block), detector, quantities };
  if (output.name === '') faults.refuse(DETECTOR_FILE, block.line, 'must have a Filename');
  if (quantities.length === 0) faults.refuse(DETECTOR_FILE, block.line, 'must have a Quantity');
  lines.set(output, block.line);
  return output;
}

function readQuantity(
  { line, words }: WordLine,
  same: number,
  { filters, settings, absolute, faults }: Selections,
): Quantity & { modifiers: Modifier[] } {
  const [word = '', ...names] = words;
  const keyword = KEYWORDS.get(word.toUpperCase());
  if (keyword === undefined) {
    faults.refuseToScore(DETECTOR_FILE, line, `the quantity ${word} is not supported by the built-in engine`);
  }
  const filter = names.find((one) => filters.has(one));
  const chosen = names.map((one) => settings.get(one)).find((one) => one !== undefined);
  for (const one of names.filter((known) => !filters.has(known) && !settings.has(known))) {
    faults.refuse(DETECTOR_FILE, line, `there is no filter and there are no settings called ${one}`);
  }
  const shown = keyword ?? word;
  const quantity = {
    name: same === 0 ? shown : `${shown} ${same + 1}`,
    keyword: shown,
    modifiers: [],
    scale: chosen?.scale ?? 1,
    ...(filter === undefined ? {} : { filter: { name: filter, rules: filters.get(filter) ?? [] } }),
    ...(chosen?.material === undefined ? {} : { material: chosen.material }),
  };
  if (chosen?.isAbsolute === true) absolute.add(quantity);
  return quantity;
}

function readAxis(
  modifiers: Modifier[] | undefined,
  { line, words }: WordLine,
  isType: boolean,
  faults: DeckFaults,
): void {
  const last = modifiers?.at(-1);
  if (isType) {
    const type = AXIS_TYPES.get((words[0] ?? '').toUpperCase());
    if (type === undefined || last === undefined)
      faults.refuse(DETECTOR_FILE, line, 'must have a known type of axis, after its limits');
    else modifiers?.splice(-1, 1, { ...last, type });
    return;
  }
  const [lower, upper, bins] = words.slice(0, 3).map(parseNumber);
  if (modifiers === undefined || lower === undefined || upper === undefined || bins === undefined) {
    faults.refuse(DETECTOR_FILE, line, 'must have two limits and a number of bins, after a Quantity');
    return;
  }
  modifiers.push({ type: 'E', lower, upper, bins, log: words[3]?.toUpperCase() === 'LOG' });
}
