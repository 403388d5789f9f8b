import { peakBin } from './axis-top.js';
import { type DistalLevels, meanBetween, readDistalEdge, readElectronEdge } from './depth-readings.js';
import { type Bins, fitLocally } from './local-fit.js';
import { readProfile, readSpectrum } from './profile-readings.js';

/**
 * What the numbers of a curve are, and over what.
 * - `depth`: dose or deposited energy along the beam; `profile`: the same, or fluence, across it;
 * - `spectrum`: a density over energy, LET or another property of particles;
 * - `none`: nothing is read off it: fluence, kerma, LET and mean energies over depth, maps.
 */
export type CurveKind = 'depth' | 'profile' | 'spectrum' | 'none';

/** The description of a curve by its problem. */
export interface CurveDescription {
  readonly kind: CurveKind;
  /** Of the beam. */
  readonly particle: 'ion' | 'electron' | 'photon';
  /** Unit of the axis. */
  readonly unit: string;
  /** Coordinate of the first matter along the beam; undefined: not known, depths are then coordinates. */
  readonly firstMatter?: number | undefined;
  /** The beam goes towards smaller coordinates. */
  readonly isReversed?: boolean;
}

/** A curve with its statistics. */
export interface Curve extends Bins {
  /** Standard errors; null, NaN or missing where they are not known. */
  readonly errors?: ArrayLike<number | null>;
  /** Independent parts of the curve, such as tasks: each with its share of all primaries and its own values. */
  readonly batches?: readonly { readonly share: number; readonly values: ArrayLike<number> }[];
}

/** A number that is read off a curve. */
export interface Reading {
  readonly name: ReadingName;
  readonly value: number;
  /** Standard error; null: not known. */
  readonly error: number | null;
  /** Empty: a ratio. */
  readonly unit: string;
  readonly definition: string;
  /** The same place on the axis, where depth and coordinate differ. */
  readonly coordinate?: number;
}

const DEFINITIONS = {
  peak: 'depth of the largest dose, smoothed over the distal fall-off',
  R100: 'depth of the largest dose',
  R90: 'depth behind the peak with 90 % of the largest dose',
  R80: 'depth behind the peak with 80 % of the largest dose (ICRU 78)',
  R50: 'depth behind the peak with 50 % of the largest dose',
  Rp: 'practical range: the tangent at the steepest place meets the tail (ICRU 35)',
  fall_off: 'distance from 80 % to 20 % of the largest dose behind the peak',
  peak_to_entrance: 'largest dose over the mean dose in the first 5 mm',
  center: 'middle between both places with 50 % of the maximum',
  FWHM: 'full width at half maximum',
  sigma: 'FWHM / 2.355, for profiles with the sides of a Gaussian',
  penumbra: 'distance from 80 % to 20 % of the maximum, mean of both sides',
  mean_error: 'mean relative standard error of the bins above half of the maximum',
  mean: 'mean of the spectrum',
  mode: 'bin with the largest density',
} as const;

export type ReadingName = keyof typeof DEFINITIONS;
const PLACES: ReadonlySet<ReadingName> = new Set(['peak', 'R100', 'R90', 'R80', 'R50', 'Rp']);
const RATIOS: ReadonlySet<ReadingName> = new Set(['peak_to_entrance', 'mean_error']);

/** Units of length in centimetres. */
export const CENTIMETERS: Readonly<Record<string, number>> = { um: 1e-4, mm: 0.1, cm: 1, m: 100 };
/** Beginning of a depth dose that counts as its entrance, cm. */
const ENTRANCE_CM = 0.5;
/** With fewer batches their scatter says too little. */
const BATCHES_MIN = 4;
/**
 * What the scatter of so many batches is to be multiplied by to hold the truth in 68 % of cases: Student's t by the Cornish-Fisher expansion at one
 * standard deviation (Abramowitz and Stegun 1964, 26.7.5), right to half a percent from three degrees of freedom on.
 */
const studentFactor = (batches: number): number => 1 + 1 / (2 * (batches - 1)) + 1 / (4 * (batches - 1) ** 2);

/** A reading as the service tells it. */
export type ToldReading = Omit<Reading, 'name'> & { readonly name: string };

/** Of two readings how much larger the other is than this one: readings of independent jobs. */
function differenceOf(own: ToldReading, other: ToldReading): ToldReading {
  const error = own.error === null || other.error === null ? null : Math.hypot(own.error, other.error);
  const { coordinate: _, ...rest } = own;
  const definition = `${own.definition}: the other less this one`;
  return { ...rest, value: other.value - own.value, error, definition };
}

/** The differences of readings that both have, other less own. */
export function differencesOf(own: readonly ToldReading[], others: readonly ToldReading[]): ToldReading[] {
  return own.flatMap((reading) => {
    const other = others.find(({ name }) => name === reading.name);
    return other === undefined ? [] : [differenceOf(reading, other)];
  });
}

/**
 * Reads a curve: of depth doses of ions R90, R80, R50, fall-off and peak : entrance, of electrons and photons R100, R50 (and Rp), of profiles FWHM,
 * σ and penumbra, of spectra mean and mode. Depths begin at the first matter along the beam, where that is known.
 *
 * Errors come from the scatter of batches where there are at least four: the jackknife that leaves one batch out in turn, with unequal shares
 * (Busing, Meijer and van der Leeden, Stat. Comput. 9 (1999) 3), widened for few batches. Neighbouring bins of one history go together, which only batches know. With
 * fewer batches the error of a depth is that of the dose there over its slope: an upper estimate.
 *
 * @returns nothing for a curve of nothing, or one that does not show it
 */
export function readCurve(given: Curve, about: CurveDescription): Reading[] {
  const sign = about.isReversed === true ? -1 : 1;
  const curve = sign === 1 ? given : reversed(given);
  const first = about.firstMatter === undefined ? undefined : sign * about.firstMatter;
  return readForward(curve, { ...about, firstMatter: first }).map(({ coordinate, ...reading }) => {
    return coordinate === undefined ? reading : { ...reading, coordinate: sign * coordinate };
  });
}

/** The same curve along the other way. */
function reversed({ centers, values, errors, batches }: Curve): Curve {
  const turned = (numbers: ArrayLike<number>) => Array.from(numbers).toReversed();
  return {
    centers: turned(centers).map((center) => -center),
    values: turned(values),
    ...(errors === undefined ? {} : { errors: Array.from(errors).toReversed() }),
    ...(batches === undefined
      ? {}
      : { batches: batches.map(({ share, values: own }) => ({ share, values: turned(own) })) }),
  };
}

function readForward(curve: Curve, about: CurveDescription): Reading[] {
  const found = estimate(curve, about);
  const rests = withoutEach(curve).map((rest) => estimate(rest, about));
  return [...found].map(([name, { value, error }]) => {
    const isPlace = about.kind === 'depth' && PLACES.has(name);
    const origin = isPlace ? (about.firstMatter ?? 0) : 0;
    return {
      name,
      value: value - origin,
      error:
        rests.length === 0
          ? error
          : scatterOf(
              curve,
              value,
              rests.map((rest) => rest.get(name)?.value),
            ),
      unit: RATIOS.has(name) ? '' : about.unit,
      definition: DEFINITIONS[name],
      ...(origin === 0 ? {} : { coordinate: value }),
    };
  });
}

/** A number, and its error by the errors of single bins. */
interface Estimate {
  readonly value: number;
  readonly error: number | null;
}

function estimate(curve: Curve, about: CurveDescription): Map<ReadingName, Estimate> {
  switch (about.kind) {
    case 'depth':
      return about.particle === 'ion' ? ofIons(curve, about) : ofElectrons(curve, about);
    case 'profile':
      return ofProfile(curve);
    case 'spectrum':
      return ofSpectrum(curve);
    case 'none':
      return new Map();
  }
}

type Found = readonly [ReadingName, number | undefined, (number | null)?];

const known = (found: readonly Found[]): Map<ReadingName, Estimate> =>
  new Map(
    found.flatMap(([name, value, error = null]) =>
      value === undefined || !Number.isFinite(value) ? [] : [[name, { value, error }] as const],
    ),
  );

function ofIons(curve: Curve, { unit, firstMatter }: CurveDescription): Map<ReadingName, Estimate> {
  const levels = readDistalEdge(curve);
  if (levels === undefined) return new Map();
  const at = (name: ReadingName, place: number | undefined): Found => [name, place, placeError(curve, place, levels)];
  const { peak, top, r90, r80, r50, r20 } = levels;
  const first = firstMatter ?? (curve.centers[0] ?? 0) - 1e-9;
  const entrance = meanBetween(curve, first, first + ENTRANCE_CM / (CENTIMETERS[unit] ?? 1));
  const fallOff = r80 === undefined || r20 === undefined ? undefined : r20 - r80;
  return known([
    ['peak', peak],
    at('R90', r90),
    at('R80', r80),
    at('R50', r50),
    ['fall_off', fallOff, placeError(curve, r80, levels)],
    ['peak_to_entrance', entrance > 0 ? top / entrance : undefined, ratioError(curve, peak, entrance)],
    ['mean_error', meanError(curve)],
  ]);
}

function ofElectrons(curve: Curve, { particle }: CurveDescription): Map<ReadingName, Estimate> {
  const levels = readElectronEdge(curve);
  if (levels === undefined) return new Map();
  const { r100, r50, rp } = levels;
  const error = (place: number | undefined) => placeError(curve, place, levels);
  return known([
    ['R100', r100],
    ['R50', r50, error(r50)],
    ...(particle === 'electron' ? [['Rp', rp, error(r50)] as const] : []),
    ['mean_error', meanError(curve)],
  ]);
}

function ofProfile(curve: Curve): Map<ReadingName, Estimate> {
  const widths = readProfile(curve);
  if (widths === undefined) return new Map();
  const { center, fwhm, sigma, penumbra } = widths;
  const level = { halfWidth: fwhm / 4 };
  const side = placeError(curve, center + fwhm / 2, level);
  const both = side === null ? null : Math.SQRT2 * side;
  return known([
    ['center', center, side === null ? null : side / Math.SQRT2],
    ['FWHM', fwhm, both],
    ['sigma', sigma, both === null ? null : both / 2.355],
    ['penumbra', penumbra, both],
    ['mean_error', meanError(curve)],
  ]);
}

function ofSpectrum(curve: Curve): Map<ReadingName, Estimate> {
  const moments = readSpectrum(curve);
  if (moments === undefined) return new Map();
  const { centers, values, errors = [] } = curve;
  let [variance, sum] = [0, 0];
  for (let bin = 0; bin < centers.length; bin += 1) {
    const error = errors[bin] ?? 0;
    variance += (((centers[bin] ?? 0) - moments.mean) * error) ** 2;
    sum += values[bin] ?? 0;
  }
  return known([
    ['mean', moments.mean, variance > 0 ? Math.sqrt(variance) / sum : null],
    ['mode', moments.mode],
  ]);
}

/** Error of a dose at a place over the slope there: bins that one history reaches go together, so they do not average out. */
function placeError(curve: Curve, place: number | undefined, levels: Pick<DistalLevels, 'halfWidth'>): number | null {
  if (place === undefined) return null;
  const error = binError(curve, place);
  const slope = fitLocally(curve, place, levels.halfWidth)?.slope ?? 0;
  return error === undefined || slope === 0 ? null : error / Math.abs(slope);
}

function ratioError(curve: Curve, peak: number, entrance: number): number | null {
  const error = binError(curve, peak);
  return error === undefined || !(entrance > 0) ? null : error / entrance;
}

/** Undefined: no error is known there. */
function meanError({ values, errors = [] }: Curve): number | undefined {
  const top = values[peakBin(values, errors)] ?? 0;
  let [sum, count] = [0, 0];
  for (let bin = 0; bin < values.length; bin += 1) {
    const error = errors[bin] ?? Number.NaN;
    if (!((values[bin] ?? 0) > top / 2) || Number.isNaN(error)) continue;
    sum += error / (values[bin] ?? 1);
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}

/** Error of the bins around a place, root mean square; undefined: it is not known. */
function binError({ centers, errors = [] }: Curve, place: number): number | undefined {
  const squares = Float64Array.from({ length: centers.length }, (_, bin) => (errors[bin] ?? Number.NaN) ** 2);
  const width = ((centers[centers.length - 1] ?? 0) - (centers[0] ?? 0)) / (centers.length - 1);
  const fit = fitLocally({ centers, values: squares }, place, 2.5 * width);
  return fit === undefined || !(fit.value > 0) ? undefined : Math.sqrt(fit.value);
}

/** The error of a number by the numbers without one batch each; null: one of them does not show it. */
function scatterOf({ batches = [] }: Curve, value: number, rests: readonly (number | undefined)[]): number | null {
  const pseudoValues: number[] = [];
  for (const [index, { share }] of batches.entries()) {
    const rest = rests[index];
    if (rest === undefined) return null;
    pseudoValues.push(value / share - (1 / share - 1) * rest);
  }
  const mean = batches.reduce((sum, { share }, index) => sum + share * (pseudoValues[index] ?? 0), 0);
  const squares = batches.map(({ share }, index) => ((pseudoValues[index] ?? 0) - mean) ** 2 / (1 / share - 1));
  return studentFactor(batches.length) * Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / batches.length);
}

/** The curve without one batch after the other; none, where there are too few. */
function withoutEach({ centers, values, batches = [] }: Curve): Bins[] {
  if (batches.length < BATCHES_MIN) return [];
  return batches.map(({ share, values: own }) => ({
    centers,
    values: Float64Array.from(
      { length: centers.length },
      (_, bin) => ((values[bin] ?? 0) - share * (own[bin] ?? 0)) / (1 - share),
    ),
  }));
}

/** A reading as people write it: as many digits as its error has meaning, for example `15.743 ± 0.012 cm (coordinate 5.743 cm)`. */
export function formatReading(reading: Pick<Reading, 'value' | 'error' | 'unit' | 'coordinate'>): string {
  const { value, error, unit, coordinate } = reading;
  const suffix = unit === '' ? '' : ` ${unit}`;
  const isKnown = error !== null && error > 0;
  const digits = isKnown ? Math.min(Math.max(1 - Math.floor(Math.log10(error)), 0), 12) : 0;
  const write = (number: number) => (isKnown ? number.toFixed(digits) : number.toPrecision(4));
  const place = coordinate === undefined ? '' : ` (coordinate ${write(coordinate)}${suffix})`;
  return `${write(value)}${isKnown ? ` ± ${error.toFixed(digits)}` : ''}${suffix}${place}`;
}
