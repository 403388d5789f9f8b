import {
  type AxisSelection,
  BYTES_PER_NUMBER,
  decodeNumbers,
  encodeNumbers,
  MergeError,
  type PageRegion,
  type Reading,
  selectRegion,
  takeNumberBytes,
} from '@tally/merge';
import type { TextPart } from '@tally/number-text';
import { fail } from '../errors.js';
import { type FinalPage, finalPagePlaces } from '../result/result.js';
import {
  countNumbers,
  finiteValues,
  knownErrors,
  type NumberAxis,
  type NumberPage,
  numbersFrom,
  type RangeReader,
  readRegion,
  unknownErrors,
} from './number-page.js';
import { describePage, type PageKey } from './page.js';
import { numberedAxis, pageText } from './page-text.js';

/** What of each selected page is wanted; nothing: all of it. */
export type PageAxes = readonly AxisSelection[];

/** What of each page is wanted, and whether with the effective number of histories of each bin. */
export interface PagePart {
  readonly axes: PageAxes;
  readonly hasEffectiveHistories: boolean;
  /** Of the values of pages that can be told in it; undefined: all keep theirs. */
  readonly unit?: string | undefined;
}

/** The page as it is stored, and nothing else. */
export const WHOLE: PagePart = { axes: [], hasEffectiveHistories: false };

export function isWhole({ axes, hasEffectiveHistories, unit }: PagePart): boolean {
  return axes.length === 0 && !hasEffectiveHistories && unit === undefined;
}

/** A page as it is stored: what it is, and its bytes by their place from its first one. */
export interface PageSource {
  readonly page: FinalPage;
  readonly readRanges: RangeReader;
}

/** The axes of a page, with the one that only numbers its bins. */
export function axesOf(page: Pick<FinalPage, 'axes' | 'recordCount' | 'hasNumberedBins'>): NumberAxis[] {
  const { axes, recordCount: size } = page;
  return [...axes, ...(size === undefined ? [] : [{ ...numberedAxis(page), size }])];
}

/** The part of a page that is wanted. @throws ServiceError AXIS_INVALID naming page and axis */
export function regionOf(
  page: PageKey & { readonly estimatorName: string },
  sizes: readonly number[],
  axes: PageAxes,
): PageRegion {
  try {
    return selectRegion(sizes, axes);
  } catch (err) {
    if (!(err instanceof MergeError)) throw err;
    throw fail('AXIS_INVALID', { message: `${describePage(page)}: ${err.message}`, cause: err });
  }
}

/** The axes that are left of a page, each with its place among those of the page and the first of its bins. */
export function keptAxes<Axis extends { readonly name: string; readonly unit: string }>(
  region: PageRegion,
  axes: readonly Axis[],
) {
  return axes.flatMap((axis, index) => {
    const part = region.axes[index];
    return part?.take === 'bins' ? [{ axis, index, first: part.first, size: part.count }] : [];
  });
}

/** A stored page, or a part of it without sums, as numbers. @throws ServiceError AXIS_INVALID */
export function viewPage({ page, readRanges }: PageSource, selected: PageAxes): NumberPage {
  const axes = axesOf(page);
  const region = regionOf(
    page,
    axes.map(({ size }) => size),
    selected,
  );
  const kept = keptAxes(region, axes);
  const places = finalPagePlaces(page);
  const reader =
    (start: number): RangeReader =>
    (ranges) =>
      readRanges(ranges.map(({ from, to }) => ({ from: start + from, to: start + to })));
  const view = { axes: kept.map(({ axis: { name, unit }, size }) => ({ name, unit, size })) };
  const { estimatorIndex, estimatorName, pageNumber, pageName, unit, hasErrors } = page;
  const isWhole = selected.length === 0;
  return {
    estimatorIndex,
    estimatorName,
    pageNumber,
    pageName,
    unit,
    hasErrors,
    ...view,
    nonFiniteCount: isWhole ? page.nonFiniteCount : 0, // of the whole page only
    ...(isWhole && page.readings !== undefined ? { readings: page.readings } : {}),
    values: () => finiteValues(readRegion(reader(0), region)),
    errors: () =>
      hasErrors ? knownErrors(readRegion(reader(places.errors), region)) : unknownErrors(countNumbers(view)),
    async centers(axis) {
      const { index = 0, first = 0, size = 0 } = kept[axis] ?? {};
      if (index === page.axes.length) return numbersFrom(first + 1, size);
      const before = page.axes.slice(0, index).reduce((sum, { size: bins }) => sum + bins, 0);
      const from = places.centers + (before + first) * BYTES_PER_NUMBER;
      const [bytes = new Uint8Array(0)] = await readRanges([{ from, to: from + size * BYTES_PER_NUMBER }]);
      return decodeNumbers(bytes);
    },
    async metadata() {
      if (page.metadataBytes === 0) return new Uint8Array(0);
      const [bytes = new Uint8Array(0)] = await readRanges([{ from: places.metadata, to: places.end }]);
      return bytes;
    },
  };
}

/** A page in memory as a source. */
export function heldSource(
  page: FinalPage,
  { values, errors }: { readonly values: Float64Array; readonly errors: Float64Array },
  axes: readonly { readonly centers: readonly number[] }[],
): PageSource {
  return sourceOf(page, axes, (array, from, to) =>
    Promise.resolve((array === 'values' ? values : errors).subarray(from, to)),
  );
}

/** A page whose numbers are made when they are asked for, as a source. @param read - numbers of one of its arrays */
export function sourceOf(
  page: FinalPage,
  axes: readonly { readonly centers: readonly number[] }[],
  read: (array: 'values' | 'errors', from: number, to: number) => Promise<Float64Array>,
): PageSource {
  const places = finalPagePlaces(page);
  const numbers = (from: number, to: number): Promise<Float64Array> => {
    const [first, last] = [from / BYTES_PER_NUMBER, to / BYTES_PER_NUMBER];
    const [centers, errors] = [places.centers / BYTES_PER_NUMBER, places.errors / BYTES_PER_NUMBER];
    if (last <= centers) return read('values', first, last);
    if (first >= errors) return read('errors', first - errors, last - errors);
    const all = axes.flatMap((axis) => axis.centers);
    return Promise.resolve(Float64Array.from(all.slice(first - centers, last - centers)));
  };
  return {
    page,
    readRanges: (ranges) => Promise.all(ranges.map(async ({ from, to }) => encodeNumbers(await numbers(from, to)))),
  };
}

/** The JSON text of a part of a page, as {@link pageText} writes a page. */
export async function* viewText(view: NumberPage, readings: readonly Reading[]): AsyncGenerator<TextPart> {
  const { estimatorIndex, estimatorName, pageNumber, pageName, unit, axes, hasErrors, nonFiniteCount } = view;
  const { effectiveHistories, errorBatches } = view;
  const metadata = await view.metadata();
  const page: FinalPage = {
    estimatorIndex,
    estimatorName,
    pageNumber,
    pageName,
    unit,
    axes,
    hasErrors,
    nonFiniteCount,
    fileName: '',
    readings,
    metadataBytes: metadata.byteLength,
  };
  yield* pageText(page, {
    values: () => encoded(view.values()),
    centers: async function* () {
      for (const axis of axes.keys()) yield takeNumberBytes(await view.centers(axis));
    },
    errors: () => encoded(view.errors()),
    ...(effectiveHistories === undefined ? {} : { effectiveHistories: () => encoded(effectiveHistories()) }),
    ...(errorBatches === undefined ? {} : { errorBatches }),
    metadata: () => Promise.resolve(metadata),
  });
}

async function* encoded(pieces: AsyncIterable<Float64Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield takeNumberBytes(piece);
}
