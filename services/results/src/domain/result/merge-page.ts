import { type BinRun, BYTES_PER_NUMBER, createPageMerger, decodeNumbers, MOMENTS, type PagePart } from '@tally/merge';
import { binsOf, type EstimatorPageHeader } from '../page/page.js';
import { countRecords, outputBytes, type PagePlace, placeOf } from '../page/page-set.js';
import type { OutputRange, StoredTaskOutput, TaskOutputStore } from '../ports.js';

/** Merged bins of a page, from bin `from` on; of a list, numbers of its records. */
export interface MergedBins {
  readonly from: number;
  readonly values: Float64Array;
  readonly errors: Float64Array;
  readonly nonFiniteCount: number;
}

/** Bins that are merged at once: the event loop gets its turn in between. */
const BINS_AT_ONCE = 32 * 1024;
/** Of the outputs, no more than this is in memory at once, or one task's share of the bins. */
const BYTES_AT_ONCE = 8 * 1024 * 1024;

interface Share extends PagePlace {
  readonly output: StoredTaskOutput;
}

/** The outputs that have the page, in the given order, each with its place. */
function sharesOf(page: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): Share[] {
  return outputs.flatMap((output) => {
    const place = placeOf(output, page);
    return place === undefined ? [] : [{ ...place, output }];
  });
}

/** The page with the records of all of these outputs, if it is a list. */
export function withRecords<Page extends EstimatorPageHeader>(page: Page, outputs: readonly StoredTaskOutput[]): Page {
  if (page.kind !== 'list') return page;
  return { ...page, recordCount: countRecords(outputs, page, binsOf({ axes: page.axes })) };
}

/**
 * One page of several outputs, a slice of its bins after the other: holds a few MiB, however large the page is and however
 * many outputs there are. Bins do not depend on each other; the outputs are added in the given order.
 */
export async function* mergePage(
  { readRanges }: Pick<TaskOutputStore, 'readRanges'>,
  page: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
): AsyncGenerator<MergedBins> {
  const shares = sharesOf(page, outputs);
  if (page.kind === 'list') {
    yield* joinLists(readRanges, page, shares);
    return;
  }
  const bins = binsOf(page);
  for (let from = 0; from < bins; from += BINS_AT_ONCE) {
    yield await mergeShares(readRanges, page, shares, { from, count: Math.min(BINS_AT_ONCE, bins - from) });
  }
}

/** Some bins of one page, which is no list, of several outputs. */
export function mergeBins(
  { readRanges }: Pick<TaskOutputStore, 'readRanges'>,
  page: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
  run: BinRun,
): Promise<MergedBins> {
  return mergeShares(readRanges, page, sharesOf(page, outputs), run);
}

/** Of some bins of a ratio the denominators, which are means over histories like those of any linear page. */
export function mergeDenominators(
  { readRanges }: Pick<TaskOutputStore, 'readRanges'>,
  page: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
  run: BinRun,
): Promise<MergedBins> {
  const arrays = (['denominator', 'denominatorSquares'] as const).map((name) => MOMENTS.ratio.indexOf(name));
  return mergeShares(readRanges, { ...page, kind: 'linear', scale: 1 }, sharesOf(page, outputs), run, arrays);
}

/** @param places - of the arrays that are merged among those of the stored page */
async function mergeShares(
  readRanges: TaskOutputStore['readRanges'],
  page: EstimatorPageHeader,
  shares: readonly Share[],
  { from, count }: BinRun,
  places: readonly number[] = [...MOMENTS[page.kind].keys()],
): Promise<MergedBins> {
  const merger = createPageMerger(page, count);
  const arrayCount = places.length;
  const bins = binsOf(page);
  const sharesAtOnce = Math.max(1, Math.floor(BYTES_AT_ONCE / (2 * arrayCount * count * BYTES_PER_NUMBER)));
  for (let at = 0; at < shares.length; at += sharesAtOnce) {
    const group = shares.slice(at, at + sharesAtOnce);
    const arrays = (share: Share) => places.map((array) => rangeOf(share, array * bins + from, count));
    const ranges = group.flatMap((share) => [...arrays(share), ...remaindersOf(share).flatMap(arrays)]);
    const numbers = (await readRanges(ranges)).map(decodeNumbers);
    for (const share of group) {
      const { primaries, batches } = share.output;
      const moments = numbers.splice(0, arrayCount);
      const [remainders] = remaindersOf(share).map(() => numbers.splice(0, arrayCount));
      merger.add({ primaries, batches, moments, remainders });
    }
  }
  const { values, errors, nonFinite } = merger.finish();
  return { from, values, errors, nonFiniteCount: nonFinite };
}

/** The place of what float64 leaves of the page's numbers, where it is known. */
function remaindersOf({ output, from, to }: Share): Share[] {
  if (output.hasRemainders !== true) return [];
  const arrayBytes = outputBytes(output);
  return [{ output, from: from + arrayBytes, to: to + arrayBytes }];
}

function rangeOf({ output, from }: Share, first: number, count: number): OutputRange {
  const start = from + first * BYTES_PER_NUMBER;
  return { output, from: start, to: start + count * BYTES_PER_NUMBER };
}

/** One output's records after the other's. */
async function* joinLists(
  readRanges: TaskOutputStore['readRanges'],
  page: EstimatorPageHeader,
  shares: readonly Share[],
): AsyncGenerator<MergedBins> {
  const columns = binsOf({ axes: page.axes });
  const numbersAtOnce = Math.max(1, Math.floor(BINS_AT_ONCE / columns)) * columns;
  let from = 0;
  for (const share of shares) {
    const count = (share.to - share.from) / BYTES_PER_NUMBER;
    for (let first = 0; first < count; first += numbersAtOnce) {
      const [bytes = new Uint8Array(0)] = await readRanges([
        rangeOf(share, first, Math.min(numbersAtOnce, count - first)),
      ]);
      const { primaries, batches } = share.output;
      const part: PagePart = { primaries, batches, moments: [decodeNumbers(bytes)] };
      const merger = createPageMerger(page);
      merger.add(part);
      const { values, errors, nonFinite } = merger.finish();
      yield { from, values, errors, nonFiniteCount: nonFinite };
      from += values.length;
    }
  }
}
