import {
  type BinRun,
  BYTES_PER_NUMBER,
  type CurvePage,
  countRegionBins,
  decodeNumbers,
  type PageRegion,
  type Reading,
  regionRuns,
} from '@tally/merge';
import type { PageKey } from './page.js';

/** Numbers in memory of their own. */
export type Numbers = Float64Array<ArrayBuffer>;

/** An axis of a page, without its bin centres. */
export interface NumberAxis {
  readonly name: string;
  readonly unit: string;
  readonly size: number;
}

/**
 * A page, or a part of one, as numbers: what every format is made from. Nothing is read before it is asked for, and then a
 * piece at a time. Values are finite; an error that is not known is NaN.
 */
export interface NumberPage extends PageKey {
  readonly estimatorName: string;
  readonly pageName: string;
  readonly unit: string;
  /** The first one is the fastest in memory; a list has the numbers of its records as a second one. */
  readonly axes: readonly NumberAxis[];
  /** False: no error is known. */
  readonly hasErrors: boolean;
  readonly nonFiniteCount: number;
  /** Each piece is the reader's own: nobody else has it. */
  values(): AsyncIterable<Numbers>;
  errors(): AsyncIterable<Numbers>;
  /** Of each bin the effective number of histories behind it, NaN where it is not known; absent: not asked for, or none is. */
  readonly effectiveHistories?: () => AsyncIterable<Numbers>;
  /** What is read off it, where that is stored; absent: it is read by its numbers. */
  readonly readings?: readonly Reading[];
  /** Independent parts of its values; absent: it is not made of such, or they are not known. */
  readonly batches?: () => Promise<CurvePage['batches']>;
  /** Batches whose scatter the errors are from, where they are not those of the whole results: of a sum along axes. */
  readonly errorBatches?: number;
  centers(axis: number): Promise<Numbers>;
  /** Text of a JSON object, or nothing. */
  metadata(): Promise<Uint8Array>;
}

/** The arrays that a file has of a page, by their names there: values, errors where any are known, and what else is asked for. */
export function arraysOf(page: NumberPage): { readonly name: string; readonly read: () => AsyncIterable<Numbers> }[] {
  const { hasErrors, effectiveHistories } = page;
  return [
    { name: 'values', read: () => page.values() },
    ...(hasErrors ? [{ name: 'errors', read: () => page.errors() }] : []),
    ...(effectiveHistories === undefined ? [] : [{ name: 'effective_histories', read: effectiveHistories }]),
  ];
}

/** Values of a page, and of its errors. */
export function countNumbers({ axes }: Pick<NumberPage, 'axes'>): number {
  return axes.reduce((product, { size }) => product * size, 1);
}

/** `first`, `first` + 1 …: a loop, for there may be millions. */
export function numbersFrom(first: number, count: number): Numbers {
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i += 1) numbers[i] = first + i;
  return numbers;
}

/** Reads bytes of some places, in memory, in their order. */
export type RangeReader = (ranges: readonly { readonly from: number; readonly to: number }[]) => Promise<Uint8Array[]>;

/** Numbers read by one statement. */
const NUMBERS_AT_ONCE = 128 * 1024;
/** Places read by one statement. */
const PLACES_AT_ONCE = 1_000;
/** Runs that are no further apart are read in one, with what lies between: a block is read as a whole anyway. */
const GAP_NUMBERS = 4 * 1024;

/** Bins from one up to, not including, another, with the runs of them that are wanted. */
interface Extent {
  readonly from: number;
  to: number;
  readonly runs: BinRun[];
}

/** The numbers of a region of an array, in the order of their bins, a piece at a time. @param read - of the array's bytes */
export async function* readRegion(read: RangeReader, region: PageRegion): AsyncGenerator<Numbers> {
  if (countRegionBins(region) === 0) return;
  for (const group of groupExtents(joinRuns(cutRuns(regionRuns(region))))) {
    const places = group.map(({ from, to }) => ({ from: from * BYTES_PER_NUMBER, to: to * BYTES_PER_NUMBER }));
    const bytes = await read(places);
    for (const [index, extent] of group.entries()) yield pick(extent, decodeNumbers(bytes[index] ?? new Uint8Array(0)));
  }
}

function* cutRuns(runs: Iterable<BinRun>): Generator<BinRun> {
  for (const { from, count } of runs) {
    for (let at = 0; at < count; at += NUMBERS_AT_ONCE) {
      yield { from: from + at, count: Math.min(NUMBERS_AT_ONCE, count - at) };
    }
  }
}

function* joinRuns(runs: Iterable<BinRun>): Generator<Extent> {
  let extent: Extent | undefined;
  for (const run of runs) {
    const to = run.from + run.count;
    const isNear = extent !== undefined && run.from - extent.to <= GAP_NUMBERS;
    if (extent !== undefined && isNear && to - extent.from <= NUMBERS_AT_ONCE) {
      extent.to = to;
      extent.runs.push(run);
      continue;
    }
    if (extent !== undefined) yield extent;
    extent = { from: run.from, to, runs: [run] };
  }
  if (extent !== undefined) yield extent;
}

function* groupExtents(extents: Iterable<Extent>): Generator<Extent[]> {
  let group: Extent[] = [];
  let numbers = 0;
  for (const extent of extents) {
    const count = extent.to - extent.from;
    if (group.length === PLACES_AT_ONCE || (group.length > 0 && numbers + count > NUMBERS_AT_ONCE)) {
      yield group;
      [group, numbers] = [[], 0];
    }
    group.push(extent);
    numbers += count;
  }
  if (group.length > 0) yield group;
}

function pick({ from, runs }: Extent, numbers: Numbers): Numbers {
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) return numbers;
  const picked = new Float64Array(runs.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const { from: start, count } of runs) {
    picked.set(numbers.subarray(start - from, start - from + count), at);
    at += count;
  }
  return picked;
}

/** Values as they are shown: one that is not finite is 0. */
export async function* finiteValues(pieces: AsyncIterable<Numbers>): AsyncGenerator<Numbers> {
  for await (const piece of pieces) {
    for (let index = 0; index < piece.length; index += 1) if (!Number.isFinite(piece[index])) piece[index] = 0;
    yield piece;
  }
}

/** Errors as they are shown: one that is not finite is not known. */
export async function* knownErrors(pieces: AsyncIterable<Numbers>): AsyncGenerator<Numbers> {
  for await (const piece of pieces) {
    for (let index = 0; index < piece.length; index += 1) if (!Number.isFinite(piece[index])) piece[index] = Number.NaN;
    yield piece;
  }
}

/** So many errors that are not known. */
export async function* unknownErrors(count: number): AsyncGenerator<Numbers> {
  for (let from = 0; from < count; from += NUMBERS_AT_ONCE) {
    yield new Float64Array(Math.min(NUMBERS_AT_ONCE, count - from)).fill(Number.NaN);
  }
}

/** Arrays of the same length, in pieces that are cut alike. */
export async function* inStep(
  values: AsyncIterable<Numbers>,
  ...others: readonly AsyncIterable<Numbers>[]
): AsyncGenerator<readonly [Float64Array, ...Float64Array[]]> {
  const readers = others.map((other) => ({ pieces: other[Symbol.asyncIterator](), rest: new Float64Array(0) }));
  try {
    for await (const piece of values) {
      for (let from = 0; from < piece.length; ) {
        for (const reader of readers) {
          if (reader.rest.length > 0) continue;
          const next = await reader.pieces.next();
          if (next.done) throw new RangeError('an array is shorter than the others');
          reader.rest = next.value;
        }
        const count = Math.min(piece.length - from, ...readers.map(({ rest }) => rest.length));
        yield [piece.subarray(from, from + count), ...readers.map(({ rest }) => rest.subarray(0, count))];
        for (const reader of readers) reader.rest = reader.rest.subarray(count);
        from += count;
      }
    }
  } finally {
    for (const { pieces } of readers) await pieces.return?.();
  }
}
