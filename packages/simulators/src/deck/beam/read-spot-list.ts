import type { Spot, Vector } from '@tally/engine';
import type { Beam } from '../../project/beam.js';
import type { Species } from '../../project/particle.js';
import type { ConversionReport } from '../conversion-report.js';
import { unitVector } from './beam-axes.js';

/** A beam of many pencil beams. */
export interface SpotList {
  /** Offsets are where the beam starts, across its direction. At least one, each of a weight above 0. */
  readonly spots: readonly Spot[];
  /** From where the beam starts upstream to where its spots come from, cm; absent where they are parallel. */
  readonly sourceCm?: { readonly x: number; readonly y: number };
}

/** The text of a spot list, and what holds for the columns that it leaves out; energies MeV of the whole particle. */
export interface SpotSource {
  readonly text: string;
  readonly nucleons: number;
  readonly energySpreadMev: number;
  readonly divergenceMrad: { readonly x: number; readonly y: number };
}

const MEV_PER_GEV = 1000;
/** Full width at half maximum of a Gaussian of standard deviation 1: 2·√(2·ln 2). */
const FWHM_PER_SIGMA = 2 * Math.sqrt(2 * Math.log(2));
/** More faults of a text are counted, not told. */
const FAULTS_MAX = 5;
const COMMENT = /[!#*].*$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?$/;

/** Columns by their number; energies GeV per nucleon, positions and widths cm, divergences mrad. */
const LAYOUTS: ReadonlyMap<number, readonly string[]> = new Map([
  [5, ['energy', 'x', 'y', 'width', 'weight']],
  [6, ['energy', 'x', 'y', 'widthX', 'widthY', 'weight']],
  [7, ['energy', 'spread', 'x', 'y', 'widthX', 'widthY', 'weight']],
  [9, ['energy', 'spread', 'x', 'y', 'widthX', 'widthY', 'divergenceX', 'divergenceY', 'weight']],
]);
const SIGNED = ['x', 'y'];

/**
 * Reads a spot list of SHIELD-HIT12A: a line for each spot, of 5, 6, 7 or 9 numbers, the same in all lines; comments
 * after `*`, `#` or `!`. Spots of no weight are left out.
 * @param refuse - called with what is wrong, and with the number of the line
 */
export function parseSpots(source: SpotSource, refuse: (message: string, line?: number) => void): Spot[] {
  const spots: Spot[] = [];
  let columns: number | undefined;
  let faults = 0;
  const tell = (message: string, line: number): void => {
    if (faults < FAULTS_MAX) refuse(message, line);
    faults++;
  };
  for (const [index, text] of source.text.split(/\r\n|\r|\n/).entries()) {
    const words = text
      .replace(COMMENT, '')
      .split(/[\s,]+/)
      .filter((word) => word !== '');
    if (words.length === 0) continue;
    const line = index + 1;
    columns ??= words.length;
    const fault = findFault(words, columns);
    if (fault !== undefined) tell(fault, line);
    else {
      const spot = toSpot(words.map(toNumber), source);
      if (spot.weight > 0) spots.push(spot);
    }
  }
  if (faults > FAULTS_MAX) refuse(`${faults - FAULTS_MAX} more lines are not understood`);
  if (faults === 0 && spots.length === 0) refuse('must have a line with a weight above 0');
  return spots;
}

function toNumber(word: string): number {
  return NUMBER.test(word) ? Number(word.replace(/d/i, 'e')) : Number.NaN;
}

function findFault(words: readonly string[], columns: number): string | undefined {
  const layout = LAYOUTS.get(words.length);
  if (layout === undefined) return `must have 5, 6, 7 or 9 numbers, not ${words.length}`;
  if (words.length !== columns) return `must have ${columns} numbers like the lines before, not ${words.length}`;
  for (const [index, word] of words.entries()) {
    const name = layout[index] ?? '';
    const value = toNumber(word);
    if (!Number.isFinite(value)) return `"${word.slice(0, 40)}" is not a number`;
    if (name === 'energy' && value <= 0) return 'the energy must be more than 0';
    if (value < 0 && !SIGNED.includes(name)) return `number ${index + 1} must not be negative`;
  }
  return undefined;
}

function toSpot(values: readonly number[], source: SpotSource): Spot {
  const layout = LAYOUTS.get(values.length) ?? [];
  const find = (name: string): number | undefined => values[layout.indexOf(name)];
  const mevPerUnit = MEV_PER_GEV * source.nucleons;
  const spread = find('spread');
  const width = find('width') ?? 0;
  return {
    energyMev: (find('energy') ?? 0) * mevPerUnit,
    energySpreadMev: spread === undefined ? source.energySpreadMev : spread * mevPerUnit,
    xCm: find('x') ?? 0,
    yCm: find('y') ?? 0,
    sigmaXCm: (find('widthX') ?? width) / FWHM_PER_SIGMA,
    sigmaYCm: (find('widthY') ?? width) / FWHM_PER_SIGMA,
    divergenceXMrad: find('divergenceX') ?? source.divergenceMrad.x,
    divergenceYMrad: find('divergenceY') ?? source.divergenceMrad.y,
    weight: find('weight') ?? 0,
  };
}

/**
 * The spots of a beam whose source is a file; `undefined` where it is not one.
 * @param energySpreadMev - the beam's own, MeV of the whole particle: of spots whose lines leave it out
 */
export function readSpotList(
  beam: Beam,
  species: Species,
  energySpreadMev: number,
  report: ConversionReport,
): SpotList | undefined {
  if (beam.sourceType !== 'file') return undefined;
  const { sourceFile, sad, divergence } = beam;
  if (sourceFile === undefined) {
    report.refuse('/beam/sourceFile', 'must be given: the beam comes from a file');
    return undefined;
  }
  const nucleons = Math.max(species.a, 1);
  const source = { text: sourceFile.value, nucleons, energySpreadMev, divergenceMrad: divergence };
  const spots = parseSpots(source, (message, line) => {
    const place = line === undefined ? '' : `line ${line}: `;
    report.refuse('/beam/sourceFile/value', `${place}${message} ("${sourceFile.name}")`);
  });
  if (spots.length === 0) return undefined;
  if (sad.type === 'none') return { spots };
  const list = fanOut(spots, { x: sad.x, y: sad.type === 'single' ? sad.x : sad.y }, beam);
  if (list === undefined) report.refuse('/beam/sad', 'must be more than 0 and upstream of where the beam starts');
  return list;
}

/**
 * Spots with a source-to-axis distance: positions in a file are those in the plane of the isocentre, which is the origin,
 * so that spots start nearer to the axis and fan out. `undefined` where the source is not upstream of the start.
 */
export function fanOut(
  spots: readonly Spot[],
  sadCm: { readonly x: number; readonly y: number },
  { position, direction }: { readonly position: Vector; readonly direction: Vector },
): SpotList | undefined {
  const along = unitVector(direction);
  const start = position[0] * along[0] + position[1] * along[1] + position[2] * along[2];
  const sourceCm = { x: sadCm.x + start, y: sadCm.y + start };
  if (Math.min(sadCm.x, sadCm.y, sourceCm.x, sourceCm.y) <= 0) return undefined;
  const place = (spot: Spot): Spot => ({
    ...spot,
    xCm: (spot.xCm * sourceCm.x) / sadCm.x,
    yCm: (spot.yCm * sourceCm.y) / sadCm.y,
  });
  return { spots: spots.map(place), sourceCm };
}
