import { type CurvePage, type JobDescription, type Reading, readings } from '@tally/merge';
import type { NumberPage } from '../page/number-page.js';
import { binsOf, type EstimatorPageHeader } from '../page/page.js';
import type { StoredTaskOutput, TaskOutputStore } from '../ports.js';
import { mergeBins } from './merge-page.js';

/** Nothing is read off a curve of more bins: no detector of one axis has so many. */
const CURVE_BINS_MAX = 16_384;
/** Tasks are put together to no more batches: the error of a reading is then known to a sixth, and made in tens of milliseconds. */
export const READING_BATCHES_MAX = 20;

/** What is known of what was simulated. */
export type Problem = JobDescription | undefined;

/** Of a page that is a curve the one axis with more than one bin; undefined: it is none. */
export function curveAxisOf(sizes: readonly number[]): number | undefined {
  const long = [...sizes.keys()].filter((axis) => (sizes[axis] ?? 0) > 1);
  const [axis] = long;
  return long.length === 1 && axis !== undefined && (sizes[axis] ?? 0) <= CURVE_BINS_MAX ? axis : undefined;
}

/** The numbers of a curve. */
type CurveNumbers = Pick<CurvePage, 'values' | 'errors' | 'batches'>;

/** What is read off a page that is in memory; nothing off one that is no curve. */
export function readCurvePage(
  { pageName, unit, axes }: Pick<EstimatorPageHeader, 'pageName' | 'unit' | 'axes'>,
  numbers: CurveNumbers,
  problem: Problem,
): Reading[] {
  const axis = axes[curveAxisOf(axes.map(({ centers }) => centers.length)) ?? -1];
  return axis === undefined ? [] : readings({ name: pageName, unit, axis, ...numbers }, problem ?? {});
}

/**
 * What is read off a merged page, with errors from the scatter of the tasks. Only quantities per primary are read: a ratio over a depth has
 * no range.
 */
export async function readMergedPage(
  store: Pick<TaskOutputStore, 'readRanges'>,
  page: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
  merged: { readonly values: Float64Array; readonly errors: Float64Array },
  problem: Problem,
): Promise<Reading[]> {
  if (page.kind !== 'linear' || readCurvePage(page, merged, problem).length === 0) return [];
  return readCurvePage(page, { ...merged, batches: await mergeBatches(store, page, outputs) }, problem);
}

/** The values of a page by groups of tasks. */
export async function mergeBatches(
  store: Pick<TaskOutputStore, 'readRanges'>,
  page: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
): Promise<NonNullable<CurveNumbers['batches']>> {
  const total = outputs.reduce((sum, { primaries }) => sum + primaries, 0);
  const batches: { share: number; values: Float64Array }[] = [];
  for (const group of groupTasks(outputs)) {
    const primaries = group.reduce((sum, output) => sum + output.primaries, 0);
    const { values } = await mergeBins(store, page, group, { from: 0, count: binsOf(page) });
    batches.push({ share: primaries / total, values });
  }
  return batches;
}

/** Tasks as batches of about as many: each task one, or neighbours together. */
export function groupTasks<Task extends { readonly primaries: number }>(tasks: readonly Task[]): Task[][] {
  const counted = tasks.filter(({ primaries }) => primaries > 0);
  const count = Math.min(counted.length, READING_BATCHES_MAX);
  return Array.from({ length: count }, (_, index) =>
    counted.slice(Math.floor((index * counted.length) / count), Math.floor(((index + 1) * counted.length) / count)),
  );
}

/** What is read off a page or a part of one: what is stored with it, or by its numbers. */
export async function readingsOf(view: NumberPage, problem: Problem): Promise<readonly Reading[]> {
  if (view.readings !== undefined) return view.readings;
  const { pageName, unit } = view;
  if (curveAxisOf(view.axes.map(({ size }) => size)) === undefined) return [];
  const axes = [];
  for (const [index, axis] of view.axes.entries()) axes.push({ ...axis, centers: [...(await view.centers(index))] });
  const [values, errors] = [await collect(view.values()), await collect(view.errors())];
  const batches = await view.batches?.();
  return readCurvePage({ pageName, unit, axes }, { values, errors, ...(batches && { batches }) }, problem);
}

async function collect(pieces: AsyncIterable<Float64Array>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const piece of pieces) numbers.push(...piece);
  return numbers;
}
