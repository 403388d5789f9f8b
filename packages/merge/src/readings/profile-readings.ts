import { bisect } from './depth-readings.js';
import { type Bins, fitLocally, smooth } from './local-fit.js';

/** Widths of a lateral profile, in the unit of its axis. */
export interface ProfileWidths {
  readonly center: number;
  readonly fwhm: number;
  /** Of the Gaussian with the same core; absent: the profile is no Gaussian, but for example a flat field. */
  readonly sigma?: number | undefined;
  /** 80 % to 20 % of the maximum, mean of both sides; absent: the profile does not fall so far on both. */
  readonly penumbra?: number | undefined;
}

/** Of a Gaussian: 2 √(2 ln 2) σ is its full width at half maximum, and its fall from 80 % to 20 % takes 0.478 of that. */
const SIGMAS_IN_FWHM = 2 * Math.sqrt(2 * Math.LN2);
const GAUSSIAN_PENUMBRA = (Math.sqrt(-2 * Math.log(0.2)) - Math.sqrt(-2 * Math.log(0.8))) / SIGMAS_IN_FWHM;
/** A profile whose sides differ more from that is no Gaussian. */
const GAUSSIAN_TOLERANCE = 0.25;
/** Half width of the first fits, in units of the FWHM; it is that of the Gaussian's sides below. */
const FIT_WIDTH = 0.25;
/** Half width of the fits of a side in units of its penumbra, found by wider fits before, so often: wide fits wash steep sides out. */
const SIDE_WIDTH = 0.5;
const PASSES = 2;
const BINS_MIN = 2.5;

/** Reads centre, FWHM, σ and penumbra of a profile. Undefined: it does not fall to half of its maximum on both sides. */
export function readProfile(profile: Bins): ProfileWidths | undefined {
  const { centers, values } = profile;
  const [first = 0, last = 0] = [centers[0], centers[centers.length - 1]];
  if (centers.length < 8 || !(last > first)) return undefined;
  const binWidth = (last - first) / (centers.length - 1);
  const rough = smooth(profile, Math.max((last - first) / 100, binWidth));
  let top = 0;
  for (const value of rough) if (value > top) top = value;
  const inside = [...rough.keys()].filter((bin) => (rough[bin] ?? 0) > top / 2);
  const [start, end] = [centers[inside[0] ?? 0] ?? 0, centers[inside.at(-1) ?? 0] ?? 0];
  const halfWidth = Math.max(FIT_WIDTH * (end - start), BINS_MIN * binWidth);
  const middle = (start + end) / 2;
  const level = Math.max(fitLocally({ centers, values }, middle, halfWidth)?.value ?? 0, 0);
  if (!(level > 0)) return undefined;
  const sides = [
    { bins: profile, from: middle, to: last },
    { bins: mirror(profile), from: -middle, to: -first },
  ].map((side) => readSide(side, level, { halfWidth, halfWidthMin: BINS_MIN * binWidth }));
  const [right, left] = sides;
  if (right?.half === undefined || left?.half === undefined) return undefined;
  const fwhm = right.half + left.half;
  const penumbra =
    right.penumbra === undefined || left.penumbra === undefined ? undefined : (right.penumbra + left.penumbra) / 2;
  const isGaussian = penumbra !== undefined && Math.abs(penumbra / fwhm / GAUSSIAN_PENUMBRA - 1) < GAUSSIAN_TOLERANCE;
  return {
    center: (right.half - left.half) / 2,
    fwhm,
    sigma: isGaussian ? fwhm / SIGMAS_IN_FWHM : undefined,
    penumbra,
  };
}

interface Side {
  readonly bins: Bins;
  /** Inside of the profile, and its end. */
  readonly from: number;
  readonly to: number;
}

interface SideWidths {
  /** Where it falls to half of the level. */
  readonly half?: number | undefined;
  readonly penumbra?: number | undefined;
}

/** Reads the side that falls towards larger places, by fits that are narrowed to it. */
function readSide(
  { bins, from, to }: Side,
  level: number,
  widths: { readonly halfWidth: number; readonly halfWidthMin: number },
): SideWidths {
  let found: SideWidths = {};
  let { halfWidth } = widths;
  for (let pass = 0; pass <= PASSES; pass += 1) {
    const at = (part: number) => bisect(bins, { from, to, halfWidth, level: part * level });
    const [high, half, low] = [at(0.8), at(0.5), at(0.2)];
    const penumbra = high === undefined || low === undefined ? undefined : low - high;
    if (half !== undefined) found = { half, penumbra };
    if (penumbra === undefined) return found;
    halfWidth = Math.min(halfWidth, Math.max(SIDE_WIDTH * penumbra, widths.halfWidthMin));
  }
  return found;
}

function mirror({ centers, values }: Bins): Bins {
  const last = centers.length - 1;
  return {
    centers: Float64Array.from({ length: centers.length }, (_, bin) => -(centers[last - bin] ?? 0)),
    values: Float64Array.from({ length: centers.length }, (_, bin) => values[last - bin] ?? 0),
  };
}

/** Mean and mode of a spectrum, whose values are densities. */
export interface SpectrumMoments {
  readonly mean: number;
  readonly mode: number;
}

/** Widths of bins by their centres; on a logarithmic axis edges lie at geometric means. */
function widthsOf(centers: ArrayLike<number>): Float64Array {
  const count = centers.length;
  const at = (bin: number) => centers[bin] ?? 0;
  const isLogarithmic = count > 2 && at(0) > 0 && Math.abs((at(2) - at(1)) / (at(1) - at(0)) - 1) > 1e-6;
  const edge = (bin: number) => {
    const inner = Math.min(Math.max(bin, 1), count - 1);
    const [below, above] = [at(inner - 1), at(inner)];
    const middle = isLogarithmic ? Math.sqrt(below * above) : (below + above) / 2;
    if (bin === inner) return middle;
    const end = at(bin < inner ? 0 : count - 1);
    return isLogarithmic ? (end * end) / middle : 2 * end - middle;
  };
  return Float64Array.from({ length: count }, (_, bin) => edge(bin + 1) - edge(bin));
}

/** Reads mean and mode. Undefined: a spectrum of nothing. */
export function readSpectrum({ centers, values }: Bins): SpectrumMoments | undefined {
  if (centers.length < 2) return undefined;
  const widths = widthsOf(centers);
  let [sum, moment, mode] = [0, 0, 0];
  for (let bin = 0; bin < centers.length; bin += 1) {
    const part = (values[bin] ?? 0) * (widths[bin] ?? 0);
    sum += part;
    moment += part * (centers[bin] ?? 0);
    if ((values[bin] ?? 0) > (values[mode] ?? 0)) mode = bin;
  }
  return sum > 0 ? { mean: moment / sum, mode: centers[mode] ?? 0 } : undefined;
}
