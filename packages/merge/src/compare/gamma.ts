import { peakBin } from '../readings/axis-top.js';

/** What agrees: so much of the dose, so far away; and below which part of the largest dose a bin is not looked at. */
export interface GammaCriteria {
  /** Of the largest reference dose (global), percent. */
  readonly dosePercent: number;
  /** In the unit of the axes. */
  readonly distance: number;
  /** Of the largest reference dose, percent. */
  readonly cutoffPercent: number;
}

/** A dose on a grid of bins; `centers` ascending, the first axis fastest. */
export interface DoseGrid {
  readonly centers: readonly Float64Array[];
  readonly values: Float64Array;
  /** Standard errors; absent: not known. */
  readonly errors?: Float64Array;
}

/** How many bins of the reference were looked at, and for how many of them γ ≤ 1. */
export interface GammaResult {
  readonly evaluated: number;
  readonly passed: number;
  /** γ of each bin, where it was asked for; NaN: the bin was not looked at. */
  readonly values?: Float64Array;
}

/** The evaluated dose is interpolated at this part of the distance, as is usual (Wendling 2007: a tenth). */
const STEPS_PER_DISTANCE = 10;

/**
 * Gamma index of a dose against a reference (Low 1998): γ is the least √(r²/distance² + δ²/dose²) over all places of the
 * evaluated dose, r being how far they are and δ how much they differ from the reference at its bin; a bin passes with γ ≤ 1,
 * so places further away than the distance, or than the largest γ that is asked for, are not looked at. The evaluated dose is
 * interpolated linearly along each axis, and is not known outside its bin centres. Yields after some bins, so that others get
 * their turn, and returns the result.
 * @param evaluated - on its own grid, with as many axes as the reference
 * @param gammaMax - at least 1: γ of each bin is wanted, larger ones as this number; undefined: only the pass rate, which is
 * faster, since the first place that agrees decides
 */
export function* gammaIndex(
  reference: DoseGrid,
  evaluated: DoseGrid,
  criteria: GammaCriteria,
  gammaMax?: number,
): Generator<undefined, GammaResult> {
  const largest = Math.max(0, reference.values[peakBin(reference.values, reference.errors ?? [])] ?? 0);
  const doseTolerance = (criteria.dosePercent / 100) * largest;
  const cutoff = (criteria.cutoffPercent / 100) * largest;
  const offsets = nearestFirst(reference.centers.length, gammaMax ?? 1);
  const values = gammaMax === undefined ? undefined : new Float64Array(reference.values.length).fill(Number.NaN);
  const step = criteria.distance / STEPS_PER_DISTANCE;
  const at = reference.centers.map(() => 0);
  const place = reference.centers.map(() => 0);
  let [count, passed] = [0, 0];
  for (let bin = 0; bin < reference.values.length; bin += 1) {
    const dose = reference.values[bin] ?? 0;
    if (largest > 0 && dose >= cutoff) {
      count += 1;
      let least = (gammaMax ?? 1) ** 2;
      let isFound = false;
      for (const { steps, squared } of offsets) {
        if (squared > least) break; // the others are further away
        for (const [axis, centers] of reference.centers.entries()) {
          place[axis] = (centers[at[axis] ?? 0] ?? 0) + (steps[axis] ?? 0) * step;
        }
        const delta = (interpolate(evaluated, place) - dose) / doseTolerance;
        const gammaSquared = squared + delta * delta;
        if (!(gammaSquared <= least)) continue;
        least = gammaSquared;
        isFound = true;
        if (values === undefined) break;
      }
      if (isFound && least <= 1) passed += 1;
      if (values !== undefined) values[bin] = Math.sqrt(least);
      if (count % BINS_AT_ONCE === 0) yield;
    }
    for (let axis = 0; axis < at.length; axis += 1) {
      at[axis] = (at[axis] ?? 0) + 1;
      if ((at[axis] ?? 0) < (reference.centers[axis]?.length ?? 0)) break;
      at[axis] = 0;
    }
  }
  return { evaluated: count, passed, ...(values === undefined ? {} : { values }) };
}

const BINS_AT_ONCE = 256;

interface Offset {
  /** Along each axis, in steps. */
  readonly steps: readonly number[];
  /** Square of the distance, 1 being the criterion. */
  readonly squared: number;
}

/** All places within so many times the distance, the nearest first: most bins pass at one of the first. */
function nearestFirst(axes: number, distances: number): Offset[] {
  let all: number[][] = [[]];
  const most = Math.floor(STEPS_PER_DISTANCE * distances);
  const reach = Array.from({ length: 2 * most + 1 }, (_, index) => index - most);
  for (let axis = 0; axis < axes; axis += 1) all = all.flatMap((steps) => reach.map((one) => [...steps, one]));
  return all
    .map((steps) => ({ steps, squared: steps.reduce((sum, one) => sum + (one / STEPS_PER_DISTANCE) ** 2, 0) }))
    .filter(({ squared }) => squared <= distances ** 2)
    .toSorted((a, b) => a.squared - b.squared);
}

/** Dose at a place; NaN outside the bin centres, and along an axis of one bin anywhere but there. */
function interpolate({ centers, values }: DoseGrid, place: readonly number[]): number {
  let corners = [{ bin: 0, weight: 1 }];
  let stride = 1;
  for (const [axis, all] of centers.entries()) {
    const found = locate(all, place[axis] ?? 0);
    if (found === undefined) return Number.NaN;
    const { bin, part } = found;
    const base = bin * stride;
    const next = base + stride;
    corners = corners.flatMap((corner) => [
      { bin: corner.bin + base, weight: corner.weight * (1 - part) },
      ...(part === 0 ? [] : [{ bin: corner.bin + next, weight: corner.weight * part }]),
    ]);
    stride *= all.length;
  }
  return corners.reduce((sum, { bin, weight }) => sum + weight * (values[bin] ?? 0), 0);
}

/** Rounding of places that are a sum of a centre and steps, relative to the width of a bin. */
const ROUNDING = 1e-9;

/** The bin centre at or before a place, and how far it is to the next one, 0 … 1. */
function locate(centers: Float64Array, place: number): { bin: number; part: number } | undefined {
  let [low, high] = [0, centers.length - 1];
  if (high === 0) return place === centers[0] ? { bin: 0, part: 0 } : undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((centers[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  const part = (place - (centers[low] ?? 0)) / ((centers[high] ?? 0) - (centers[low] ?? 0));
  if (part < -ROUNDING || part > 1 + ROUNDING) return undefined;
  return { bin: low, part: Math.min(1, Math.max(0, part)) };
}
