import type { PageKind } from '@tally/merge';
import type { SourceAxis } from '../driver.js';

/** Bins of one axis as a simulator's file has them. */
export interface NativeAxis extends SourceAxis {
  /** Borders of the bins, ascending, one more than bins, where their steps are not equal. */
  readonly borders?: readonly number[];
  /** Places of the bins, ascending, where they are not in the middle between borders. */
  readonly centers?: readonly number[];
}

/** A page as a simulator's file has it, brought into the order of our pages: first axis fastest. */
export interface NativePage {
  /** `PageSource.file` and `PageSource.item`. */
  readonly file: string;
  readonly item: string;
  /** What the simulator calls the quantity. */
  readonly title: string;
  readonly kind: PageKind;
  /** Without "per primary", and without units of differential axes unless `namesAxes`. */
  readonly unit: string;
  /** The unit has those of the differential axes in it, as the file gives it. */
  readonly namesAxes: boolean;
  readonly isPerPrimary: boolean;
  /** All axes, those of one bin too: positions first, then `differentialAxes` of other things. */
  readonly axes: readonly NativeAxis[];
  readonly differentialAxes: number;
  /** The numbers are contents of bins: they must be divided by the widths of the bins on the differential axes. */
  readonly isIntegrated: boolean;
  /** Of a list: its records, of as many columns as its one axis has bins. */
  readonly recordCount?: number;
  /** As `MOMENTS[kind]`. */
  readonly moments: readonly Float64Array[];
}

/** More pages than a file of any project has; a hostile one could else hold millions of tiny ones. */
export const PAGES_MAX = 4096;

/** An axis of which nothing is known but how many bins it has: they are counted from 1. */
export function countingAxis(name: string, bins: number): NativeAxis {
  return { name, unit: 'bin', lower: 0.5, upper: bins + 0.5, bins, isLog: false };
}

/** Whether bins have places on the axis: limits are numbers, apart from each other where there are several bins. */
export function isPlaced(axis: NativeAxis): boolean {
  if (axis.bins > 1 && !(axis.upper > axis.lower)) return false;
  return binCenters(axis).every(Number.isFinite);
}

/** Number of bins of a page, `NaN` when a count is not one. */
export function countAxisBins(axes: readonly SourceAxis[]): number {
  return axes.reduce((product, { bins }) => product * (Number.isSafeInteger(bins) && bins >= 1 ? bins : Number.NaN), 1);
}

/** Borders of bin `index` of an axis. */
export function binBorders(
  { lower, upper, bins, isLog, borders }: NativeAxis,
  index: number,
): readonly [number, number] {
  if (borders !== undefined) return [borders[index] ?? Number.NaN, borders[index + 1] ?? Number.NaN];
  const border = (at: number): number =>
    isLog ? lower * (upper / lower) ** (at / bins) : lower + ((upper - lower) * at) / bins;
  return [border(index), border(index + 1)];
}

/** Volumes of the bins of positions, cm³, in their order; from lengths in cm and angles in rad or deg. */
export function binVolumes(axes: readonly SourceAxis[]): Float64Array {
  return Float64Array.from({ length: countAxisBins(axes) }, (_, index) => {
    let rest = index;
    return axes.reduce((product, axis) => {
      const [low, high] = binBorders(axis, rest % axis.bins);
      rest = Math.floor(rest / axis.bins);
      if (axis.name === 'r') return (product * (high * high - low * low)) / 2;
      return product * (high - low) * (axis.unit === 'deg' ? Math.PI / 180 : 1);
    }, 1);
  });
}

/** Tasks of a job have the same axes, those of its manifest. */
const knownCenters = new WeakMap<NativeAxis, readonly number[]>();

/** Bin centres; geometric ones on a logarithmic axis. */
export function binCenters(axis: NativeAxis): readonly number[] {
  const known = axis.centers ?? knownCenters.get(axis);
  if (known !== undefined) return known;
  const centers = Array.from({ length: axis.bins }, (_, index) => {
    const [low, high] = binBorders(axis, index);
    return axis.isLog ? Math.sqrt(low * high) : (low + high) / 2;
  });
  knownCenters.set(axis, centers);
  return centers;
}

/** Moments of numbers that are per primary in a run without batches: one batch of `primaries` histories. */
export function momentsOfMeans(means: Float64Array, primaries: number): Float64Array[] {
  return [means.map((mean) => mean * primaries), means.map((mean) => mean * mean * primaries)];
}

/** The same of sums over the run. */
export function momentsOfSums(sums: Float64Array, primaries: number): Float64Array[] {
  return [sums, sums.map((sum) => (sum * sum) / primaries)];
}

/** The page of a run without batches, whatever its second moments were of. */
export function asOneBatch(page: NativePage, primaries: number): NativePage {
  const [sums] = page.moments;
  return page.kind !== 'linear' || sums === undefined ? page : { ...page, moments: momentsOfSums(sums, primaries) };
}

/**
 * Numbers in an order in which the last axis is fastest, in ours, in which the first is.
 * @param sizes - in the order of the axes
 */
export function reverseOrder(numbers: Float64Array, sizes: readonly number[]): Float64Array {
  const [nx = 1, ny = 1, nz = 1] = sizes;
  const ordered = new Float64Array(numbers.length);
  let from = 0;
  for (let x = 0; x < nx; x += 1) {
    for (let y = 0; y < ny; y += 1) {
      for (let z = 0; z < nz; z += 1) ordered[x + nx * (y + ny * z)] = numbers[from++] ?? Number.NaN;
    }
  }
  return ordered;
}
