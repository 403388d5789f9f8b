import { inUnit, isCertain, peakBin } from '@tally/merge/readings';
import type { ResultPage } from '../api/queries.js';
import { TEXTS } from '../texts.js';

/** An axis with more than one bin. */
export interface Axis {
  readonly name: string;
  readonly unit: string;
  /** Bin centres, ascending. */
  readonly centres: readonly number[];
}

/** Values over the axes that have more than one bin, the first the fastest. */
export interface Grid {
  readonly axes: readonly Axis[];
  readonly values: Float64Array;
  /** Of the same length; NaN where it is not known; empty: not known at all. */
  readonly errors: Float64Array;
  readonly unit: string;
  readonly name: string;
}

/** Values along one axis. */
export interface Curve {
  readonly label: string;
  /** Of the quantity. */
  readonly name: string;
  readonly axis: Axis;
  readonly values: readonly number[];
  readonly errors: readonly (number | null)[];
  readonly unit: string;
}

/**
 * A page without its axes of a single bin: neither order nor number of values changes.
 * @param chosen - units that are wanted instead of others that measure the same
 */
export function toGrid({ name, data }: ResultPage, chosen: readonly string[] = []): Grid {
  const axes = data.dimensions.flatMap((centres, i) =>
    centres.length > 1
      ? [{ name: data.axes?.[i]?.name ?? `axis ${i + 1}`, unit: data.axes?.[i]?.unit ?? '', centres }]
      : [],
  );
  const errors = data.errors ?? new Float64Array();
  const [wanted] = chosen.flatMap((unit) => inUnit(data.unit, unit) ?? []);
  if (wanted === undefined) return { axes, values: data.values, errors, unit: data.unit, name };
  const scaled = (numbers: Float64Array) => numbers.map((number) => number * wanted.factor);
  return { axes, values: scaled(data.values), errors: scaled(errors), unit: wanted.unit, name };
}

/** `depth / cm` */
export const axisTitle = ({ name, unit }: Pick<Axis, 'name' | 'unit'>): string =>
  unit === '' ? name : `${name} / ${unit}`;

/** Edges of the bins of an axis, from their centres: halfway between them, and as far outside of the first and last. */
export function edgesOf({ centres }: Pick<Axis, 'centres'>): number[] {
  const middles = centres.slice(1).map((centre, i) => (centre + (centres[i] ?? 0)) / 2);
  const [first = 0, last = 1] = [centres[0], centres.at(-1)];
  const [low = first + 0.5, high = last - 0.5] = [middles[0], middles.at(-1)];
  return [2 * first - low, ...middles, 2 * last - high];
}

/** Whether curves over two axes belong into one picture. */
export const isSameAxis = (a: Axis, b: Axis): boolean =>
  a.name.toLowerCase() === b.name.toLowerCase() && a.unit === b.unit;

const ROUNDING = 1e-9;

/** Whether two grids have the same bins. */
export function isSameGrid(a: Grid, b: Grid): boolean {
  const isSame = (axis: Axis, other: Axis | undefined) =>
    other !== undefined &&
    isSameAxis(axis, other) &&
    axis.centres.length === other.centres.length &&
    axis.centres.every((centre, bin) => Math.abs(centre - (other.centres[bin] ?? 0)) <= ROUNDING * Math.abs(centre));
  return a.axes.length === b.axes.length && a.axes.every((axis, i) => isSame(axis, b.axes[i]));
}

/** The second grid less the first, bin by bin, with the errors of independent jobs; a difference is known where both values are certain. */
export function subtract(first: Grid, second: Grid): Grid {
  const values = second.values.map((value, i) => value - (first.values[i] ?? 0));
  if (first.errors.length === 0 || second.errors.length === 0) return { ...first, values, errors: new Float64Array() };
  const isKnown = ({ values: own, errors }: Grid, i: number) => isCertain(own[i] ?? 0, errors[i]);
  const errors = values.map((_, i) =>
    isKnown(first, i) && isKnown(second, i) ? Math.hypot(first.errors[i] ?? 0, second.errors[i] ?? 0) : Number.NaN,
  );
  return { ...first, values, errors };
}

/** The part of a grid with one index fixed: a slice of three axes, a line of two. */
export function cutAt(grid: Grid, axisIndex: number, index: number): Grid {
  const sizes = grid.axes.map(({ centres }) => centres.length);
  const stride = sizes.slice(0, axisIndex).reduce((product, size) => product * size, 1);
  const size = sizes[axisIndex] ?? 1;
  const take = (from: Float64Array): Float64Array => {
    const taken = new Float64Array(from.length / size);
    for (let start = index * stride, to = 0; start < from.length; start += stride * size, to += stride) {
      taken.set(from.subarray(start, start + stride), to);
    }
    return taken;
  };
  return {
    ...grid,
    axes: grid.axes.filter((_, i) => i !== axisIndex),
    values: take(grid.values),
    errors: take(grid.errors),
  };
}

/** A plane with its axes in the other order. */
export function transpose(grid: Grid): Grid {
  const [x, y] = grid.axes;
  const [nx, ny] = [x?.centres.length ?? 1, y?.centres.length ?? 1];
  const turn = (from: Float64Array): Float64Array => {
    const turned = new Float64Array(from.length);
    for (let iy = 0, at = 0; at < from.length; iy++)
      for (let ix = 0; ix < nx; ix++, at++) turned[ix * ny + iy] = from[at] ?? Number.NaN;
    return turned;
  };
  return { ...grid, axes: grid.axes.toReversed(), values: turn(grid.values), errors: turn(grid.errors) };
}

/** A grid of one axis as a curve. */
export function toCurve(grid: Grid, label: string): Curve | undefined {
  const [axis, ...others] = grid.axes;
  if (axis === undefined || others.length > 0) return undefined;
  const errors = Array.from(grid.errors, (error) => (Number.isNaN(error) ? null : error));
  return { label, name: grid.name, axis, values: [...grid.values], errors, unit: grid.unit };
}

/** Values of a curve at other positions, linear in between; NaN outside of it. */
export function interpolate(
  { axis: { centres }, values }: Pick<Curve, 'axis' | 'values'>,
  positions: readonly number[],
): number[] {
  let i = 0;
  return positions.map((x) => {
    while (i + 2 < centres.length && (centres[i + 1] ?? 0) < x) i++;
    const [a = 0, b = 0] = [centres[i], centres[i + 1]];
    if (x < (centres[0] ?? 0) || x > (centres.at(-1) ?? 0)) return Number.NaN;
    return (values[i] ?? 0) + ((x - a) / (b - a)) * ((values[i + 1] ?? 0) - (values[i] ?? 0));
  });
}

/** The largest value of a curve, see {@link peakBin}. */
const peakOf = ({ values, errors }: Curve): number => values[peakBin(values, errors)] ?? 0;

/**
 * How far the second curve is from the first, in percent of the first's largest value.
 * @param isIndependent - of another job: its errors and the first's add up in squares. Those of one job go together in a way that nobody knows here.
 */
export function difference(first: Curve, second: Curve, isIndependent: boolean): Curve {
  const peak = peakOf(first);
  const { centres } = first.axis;
  const other = interpolate(second, centres);
  const keep = other.flatMap((value, i) => (Number.isNaN(value) ? [] : [i]));
  const hasErrors = isIndependent && first.errors.length > 0 && second.errors.length > 0;
  // between two bins the error is taken as linear, too: neighbours share histories, so that it is hardly smaller there
  const otherErrors = hasErrors
    ? interpolate({ ...second, values: second.errors.map((error) => error ?? Number.NaN) }, centres)
    : [];
  const errorAt = (i: number) => {
    const error = Math.hypot(first.errors[i] ?? Number.NaN, otherErrors[i] ?? Number.NaN);
    return Number.isNaN(error) ? null : (100 * error) / peak;
  };
  return {
    label: `${second.label} − ${first.label}`,
    name: TEXTS.results.difference,
    axis: { ...first.axis, centres: keep.map((i) => centres[i] ?? 0) },
    values: keep.map((i) => (100 * ((other[i] ?? 0) - (first.values[i] ?? 0))) / peak),
    errors: hasErrors ? keep.map(errorAt) : [],
    unit: '% of the maximum',
  };
}

/** The curve with its largest value at 100. */
export function normalised(curve: Curve): Curve {
  const factor = 100 / peakOf(curve);
  if (!Number.isFinite(factor)) return curve;
  return {
    ...curve,
    values: curve.values.map((value) => value * factor),
    errors: curve.errors.map((error) => (error === null ? null : error * factor)),
    unit: '% of the maximum',
  };
}
