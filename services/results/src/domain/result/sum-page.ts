import {
  type AxisSelection,
  BYTES_PER_NUMBER,
  countRegionBins,
  createPageMerger,
  MergeError,
  partOfSums,
  RegionSum,
  regionSizes,
  summableArrays,
} from '@tally/merge';
import { fail } from '../errors.js';
import { type NumberPage, readRegion } from '../page/number-page.js';
import { binsOf, describePage, type EstimatorPageHeader, type PageKey } from '../page/page.js';
import { placeOf } from '../page/page-set.js';
import { heldSource, keptAxes, regionOf, viewPage } from '../page/page-view.js';
import type { StoredTaskOutput, TaskOutputStore } from '../ports.js';
import { curveAxisOf, groupTasks } from './page-readings.js';
import { describeFinalPage, type StoredResults } from './result.js';

/** Bins that a sum may leave: about ten arrays of them are held. */
const SUM_BINS_MAX = 1024 * 1024;

/** Whether bins are to be added up. */
export function hasSum(axes: readonly AxisSelection[]): boolean {
  return axes.some(({ take }) => take === 'sum');
}

/** The outputs that final results were merged from; undefined: a worker merged them itself, or others are stored. */
export async function findOutputs(
  taskOutputs: Pick<TaskOutputStore, 'listOutputs'>,
  { jobId, taskCount, primaries, isPartial }: StoredResults,
  page: PageKey,
): Promise<StoredTaskOutput[] | undefined> {
  const all = await taskOutputs.listOutputs(jobId, []);
  // of a whole job they are the first: behind them come those of tasks by which it was extended since
  const outputs = isPartial ? all : all.slice(0, taskCount);
  const stored = outputs.reduce((sum, output) => sum + output.primaries, 0);
  const isSame = outputs.length === taskCount && stored === primaries && placedIn(outputs, page).length > 0;
  return isSame ? outputs : undefined;
}

/** For sums of results whose {@link findOutputs} are not there. */
export function sumUnavailable(page: PageKey & { readonly estimatorName: string }): Error {
  const message = `${describePage(page)} was not merged from outputs of tasks that are stored: the error of a sum cannot be known`;
  return fail('SUM_UNAVAILABLE', { message });
}

const placedIn = (outputs: readonly StoredTaskOutput[], page: PageKey) =>
  outputs.flatMap((output) => {
    const place = placeOf(output, page);
    return place === undefined ? [] : [{ output, place }];
  });

/**
 * A page summed along axes, each task's bins first: errors come from the scatter of the tasks, since bins that one history
 * reaches are correlated. Errors are unknown of one task.
 * @param arrays - that are summed, by their place among those of the stored page
 * @throws ServiceError AXIS_INVALID, SUM_UNAVAILABLE, CHANGED_WHILE_READ
 */
export function sumPage(
  taskOutputs: Pick<TaskOutputStore, 'readRanges'>,
  header: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
  axes: readonly AxisSelection[],
  arrays: readonly number[] = summable(header),
): NumberPage {
  const region = regionOf(
    header,
    header.axes.map(({ centers }) => centers.length),
    axes,
  );
  const bins = regionSizes(region).reduce((product, size) => product * size, 1);
  if (bins > SUM_BINS_MAX) {
    const message = `${describePage(header)}: the sum of ${countRegionBins(region)} bins leaves ${bins}, and may leave ${SUM_BINS_MAX}`;
    throw fail('AXIS_INVALID', { message });
  }
  const kept = keptAxes(region, header.axes).map(({ axis, first, size }) => {
    return { ...axis, centers: axis.centers.slice(first, first + size) };
  });
  const summed = { ...header, axes: kept };
  const pageBins = binsOf(header);

  const isCurve = header.kind === 'linear' && curveAxisOf(kept.map(({ centers }) => centers.length)) !== undefined;

  async function add() {
    const merger = createPageMerger(summed);
    const placed = placedIn(outputs, header);
    const groups = isCurve ? groupTasks(placed.map(({ output }) => output)) : [];
    const batchMergers = groups.map(() => createPageMerger(summed));
    for (const { output, place } of placed) {
      const sums: Float64Array[] = [];
      for (const array of arrays) {
        const sum = new RegionSum(region);
        const start = place.from + array * pageBins * BYTES_PER_NUMBER;
        const read = (ranges: readonly { from: number; to: number }[]) =>
          taskOutputs.readRanges(ranges.map(({ from, to }) => ({ output, from: start + from, to: start + to })));
        for await (const piece of readRegion(read, region)) sum.add(piece);
        sums.push(sum.sums);
      }
      const part = partOfSums(header.kind, output.primaries, sums);
      merger.add(part);
      batchMergers[groups.findIndex((group) => group.includes(output))]?.add(part);
    }
    const page = merger.finish();
    const batches = batchMergers.map((batch) => {
      const { values, primaries } = batch.finish();
      return { share: primaries / page.primaries, values };
    });
    return { page, batches };
  }

  let added: ReturnType<typeof add> | undefined;
  const page = { ...describeFinalPage(summed), hasErrors: header.kind !== 'counter' };
  const lazy: NumberPage = viewPage(heldSource(page, NO_NUMBERS, kept), []);
  const sums = () => (added ??= add());
  const made = async () => viewPage(heldSource(page, (await sums()).page, kept), []);
  const errorBatches = placedIn(outputs, header).filter(({ output }) => output.primaries > 0).length;
  return {
    ...lazy,
    ...(page.hasErrors ? { errorBatches } : {}),
    ...(isCurve ? { batches: async () => (await sums()).batches } : {}),
    values: async function* () {
      yield* (await made()).values();
    },
    errors: async function* () {
      yield* (await made()).errors();
    },
  };
}

const NO_NUMBERS = { values: new Float64Array(0), errors: new Float64Array(0) };

function summable(header: EstimatorPageHeader): readonly number[] {
  try {
    return summableArrays(header.kind);
  } catch (err) {
    if (!(err instanceof MergeError)) throw err;
    throw fail('SUM_UNAVAILABLE', { message: `${describePage(header)}: ${err.message}`, cause: err });
  }
}
