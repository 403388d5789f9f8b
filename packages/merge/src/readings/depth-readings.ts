import { type Bins, firstAtLeast, fitLocally, type LocalFit, smooth } from './local-fit.js';

/** Levels of a curve behind its maximum, in the unit of its axis, as coordinates. Absent: the curve does not fall so far. */
export interface DistalLevels {
  readonly peak: number;
  /** Smoothed maximum. */
  readonly top: number;
  readonly r90?: number | undefined;
  readonly r80?: number | undefined;
  readonly r50?: number | undefined;
  readonly r20?: number | undefined;
  /** Half of the width over which the curve is fitted at a level. */
  readonly halfWidth: number;
}

/**
 * Widths of the fits in units of the distal fall-off (80 % to 20 %): wide enough to average noise, narrow enough for a parabola to
 * follow the curve. Tried on made-up and on simulated peaks of 500 to 50 000 primaries (`depth-readings.test.ts`).
 */
const PEAK_WIDTH = 1.2;
const TOP_WIDTH = 0.6;
/** A curve that is so high a fall-off before its peak is a plateau, with no height to lose in a wide fit. */
const PLATEAU = 0.87;
const EDGE_WIDTH = 0.5;
const BINS_MIN = 2.5;
/** The maximum is searched from a fall-off behind the distal 80 % level to so many before it: a plateau further up does not count. */
const SEARCH_WIDTH = 2;
const SEARCH_STEPS = 80;
const BISECTIONS = 48;
/** The place of a maximum to a ten-thousandth of a step. */
const THIRDS = 24;
/** Half width of the first, coarse smoothing: of the axis, and then of the depth of the edge (ranges straggle by a hundredth). */
const COARSE_OF_AXIS = 0.005;
const COARSE_OF_DEPTH = 0.006;

/**
 * Reads the distal edge of a depth curve of protons or ions. The search begins at the distal end, so that neither the noise of a spread-out
 * peak nor its upstream part sets the 100 % level. Undefined: a curve of nothing, or of too few bins.
 */
export function readDistalEdge(curve: Bins): DistalLevels | undefined {
  const edge = findEdge(curve);
  if (edge === undefined) return undefined;
  const { binWidth, z80, z20 } = edge;
  const fallOff = Math.max(z20 - z80, 3 * binWidth);
  const halfWidth = Math.max(EDGE_WIDTH * fallOff, BINS_MIN * binWidth);
  const first = curve.centers[0] ?? 0;
  // wide fits find the peak, so that noise does not choose among places; narrow ones keep the height of a sharp peak
  const wide = Math.max(PEAK_WIDTH * fallOff, BINS_MIN * binWidth);
  const near = highest(curve, {
    from: Math.max(first, z80 - SEARCH_WIDTH * fallOff),
    to: z80 + fallOff,
    halfWidth: wide,
  });
  if (near === undefined) return undefined;
  const before = fitLocally(curve, near.peak - fallOff, wide)?.value ?? 0;
  const isPlateau = before > PLATEAU * near.top;
  const narrow = Math.max(TOP_WIDTH * fallOff, BINS_MIN * binWidth);
  const sharp = { from: near.peak - narrow / 2, to: near.peak + narrow / 2, halfWidth: narrow };
  const { peak, top } = (isPlateau ? undefined : highest(curve, sharp)) ?? near;
  const last = Math.min(z20 + 2 * fallOff, curve.centers[curve.centers.length - 1] ?? 0);
  const behind = (level: number) => bisect(curve, { from: peak, to: last, halfWidth, level: level * top });
  return { peak, top, r90: behind(0.9), r80: behind(0.8), r50: behind(0.5), r20: behind(0.2), halfWidth };
}

/** Where a smoothed curve falls below half, 80 % and 20 % of its maximum for the last time. */
function findEdge(curve: Bins): { binWidth: number; z50: number; z80: number; z20: number } | undefined {
  const { centers, values } = curve;
  const [first = 0, last = 0] = [centers[0], centers[centers.length - 1]];
  if (centers.length < 8 || !(last > first)) return undefined;
  const binWidth = (last - first) / (centers.length - 1);
  const rough = lastAbove(smooth(curve, Math.max(COARSE_OF_AXIS * (last - first), binWidth)), 0.5);
  if (rough === undefined) return undefined;
  const depth = (centers[rough] ?? 0) - first;
  const coarse = smooth({ centers, values }, Math.max(COARSE_OF_DEPTH * depth, binWidth));
  const half = lastAbove(coarse, 0.5);
  const high = lastAbove(coarse, 0.8);
  const low = lastAbove(coarse, 0.2);
  if (half === undefined || high === undefined || low === undefined || half === centers.length - 1) return undefined;
  const at = (bin: number) => centers[bin] ?? 0;
  return { binWidth, z50: at(half), z80: at(high), z20: at(Math.min(low + 1, centers.length - 1)) };
}

/** The last bin that is above a part of the maximum. */
function lastAbove(values: Float64Array, part: number): number | undefined {
  let top = 0;
  for (const value of values) if (value > top) top = value;
  if (!(top > 0)) return undefined;
  for (let bin = values.length - 1; bin >= 0; bin -= 1) if ((values[bin] ?? 0) > part * top) return bin;
  return undefined;
}

interface Search {
  readonly from: number;
  readonly to: number;
  readonly halfWidth: number;
  readonly level: number;
}

/** Where the fitted curve falls to a level between two places, the first above it; undefined: it does not. */
export function bisect(curve: Bins, { from, to, halfWidth, level }: Search): number | undefined {
  const isAbove = (place: number) => (fitLocally(curve, place, halfWidth)?.value ?? 0) > level;
  if (!isAbove(from) || isAbove(to)) return undefined;
  let [low, high] = [from, to];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (low + high) / 2;
    if (isAbove(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The highest place of the fitted curve between two places, and how high it is; undefined: it is nowhere above 0. */
function highest(
  curve: Bins,
  { from, to, halfWidth }: Omit<Search, 'level'>,
): { peak: number; top: number } | undefined {
  const valueAt = (place: number) => fitLocally(curve, place, halfWidth)?.value ?? 0;
  const step = (to - from) / SEARCH_STEPS;
  let best = from;
  for (let i = 1; i <= SEARCH_STEPS; i += 1) if (valueAt(from + i * step) > valueAt(best)) best = from + i * step;
  // the fit is smooth: between the neighbours of the best step it has one maximum, which thirds close in on
  let [low, high] = [Math.max(best - step, from), Math.min(best + step, to)];
  for (let i = 0; i < THIRDS; i += 1) {
    const third = (high - low) / 3;
    if (valueAt(low + third) < valueAt(high - third)) low += third;
    else high -= third;
  }
  const peak = (low + high) / 2;
  const top = valueAt(peak);
  return top > 0 ? { peak, top } : undefined;
}

/** Mean of a curve over a stretch; NaN: no bin lies in it. */
export function meanBetween({ centers, values }: Bins, from: number, to: number): number {
  let [sum, count] = [0, 0];
  for (let bin = firstAtLeast(centers, from); bin < centers.length && (centers[bin] ?? 0) < to; bin += 1) {
    sum += values[bin] ?? 0;
    count += 1;
  }
  return sum / count;
}

/** Levels of a depth curve of electrons or photons, as coordinates. */
export interface ElectronLevels {
  readonly r100: number;
  readonly top: number;
  readonly r50?: number | undefined;
  /** Practical range: where the tangent at the steepest place meets the tail of bremsstrahlung (ICRU 35, 1984, 5.4). */
  readonly rp?: number | undefined;
  readonly halfWidth: number;
}

/** The tail of bremsstrahlung begins behind so many half-value depths. */
const TAIL_BEGINS = 1.35;

/** Reads R100, R50 and the practical range. Undefined: a curve of nothing, or of too few bins. */
export function readElectronEdge(curve: Bins): ElectronLevels | undefined {
  const edge = findEdge(curve);
  if (edge === undefined) return undefined;
  const { centers } = curve;
  const { binWidth, z50, z80, z20 } = edge;
  const fallOff = Math.max(z20 - z80, 3 * binWidth);
  const halfWidth = Math.max(EDGE_WIDTH * fallOff, BINS_MIN * binWidth);
  const [first = 0, last = 0] = [centers[0], centers[centers.length - 1]];
  const found = highest(curve, { from: first, to: z50, halfWidth: Math.max(halfWidth, (z50 - first) / 5) });
  if (found === undefined) return undefined;
  const { peak: r100, top } = found;
  const r50 = bisect(curve, { from: r100, to: last, halfWidth, level: top / 2 });
  const steepest = steepestBehind(curve, { from: r100, to: Math.min(last, z20 + fallOff), halfWidth });
  const tail = meanBetween(curve, first + TAIL_BEGINS * (z50 - first), last + binWidth);
  const rp = steepest && steepest.place + ((Number.isNaN(tail) ? 0 : tail) - steepest.fit.value) / steepest.fit.slope;
  return { r100, top, r50, rp, halfWidth };
}

function steepestBehind(curve: Bins, { from, to, halfWidth }: Omit<Search, 'level'>) {
  let steepest: { place: number; fit: LocalFit } | undefined;
  for (let step = 0; step <= SEARCH_STEPS; step += 1) {
    const place = from + (step / SEARCH_STEPS) * (to - from);
    const fit = fitLocally(curve, place, halfWidth);
    if (fit !== undefined && fit.slope < (steepest?.fit.slope ?? 0)) steepest = { place, fit };
  }
  return steepest;
}
