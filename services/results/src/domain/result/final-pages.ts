import { createHash, type Hash } from 'node:crypto';
import { BYTES_PER_NUMBER, decodeNumbers, encodeNumbers, type Reading } from '@tally/merge';
import { NumberStream } from '../page/number-stream.js';
import type { EstimatorPageHeader } from '../page/page.js';
import type { ContentMaker, StoredTaskOutput, TaskOutputStore } from '../ports.js';
import type { UploadPart } from '../upload.js';
import { mergePage, withRecords } from './merge-page.js';
import { curveAxisOf, type Problem, readCurvePage, readMergedPage } from './page-readings.js';
import {
  describeFinalPage,
  type FinalPage,
  type FinalPageHeader,
  finalPagePlaces,
  type ResultsHeader,
} from './result.js';

/** Final pages as they are stored, with a version that is the same for the same content. */
export type FinalPagesMaker = ContentMaker<{ pages: FinalPage[]; version: string }>;
type Piece = { readonly at: number; readonly bytes: Uint8Array };

/** Numbers written at once where there is only one to write many times. */
const NUMBERS_AT_ONCE = 32 * 1024;

/** Final pages from the arrays of an upload: values, then errors. */
export async function* storeUploadedPages(
  header: ResultsHeader,
  parts: AsyncIterable<UploadPart<FinalPageHeader>>,
  problem: Problem,
): FinalPagesMaker {
  const book = new PageBook(header);
  let writer: PageWriter | undefined;
  let numbers = new NumberStream();
  let curve: HeldCurve | undefined;
  for await (const part of parts) {
    if (part.kind === 'start') {
      writer = new PageWriter(part.item, part.item.nonFiniteCount, book.end);
      numbers = new NumberStream();
      curve = holdCurve(part.item);
    } else if (writer === undefined) {
      throw new RangeError('bytes before a page');
    } else if (part.kind === 'bytes') {
      const pushed = decodeNumbers(numbers.push(part.bytes));
      curve?.numbers.push(...pushed);
      yield* book.pass(writer.push(pushed));
    } else {
      if (curve !== undefined) writer.putReadings(curve.read(problem));
      yield* book.pass(writer.end());
      book.add(writer.page);
    }
  }
  return book.close();
}

/** Final pages from the outputs of tasks. */
export async function* storeMergedPages(
  header: ResultsHeader,
  headers: AsyncIterable<EstimatorPageHeader>,
  outputs: readonly StoredTaskOutput[],
  store: Pick<TaskOutputStore, 'readRanges'>,
  problem: Problem,
): FinalPagesMaker {
  const book = new PageBook(header);
  for await (const page of headers) {
    const writer = new PageWriter(withRecords(page, outputs), 0, book.end);
    for await (const { from, values, errors, nonFiniteCount } of mergePage(store, page, outputs)) {
      yield* book.pass(writer.putValues(from, values));
      yield* book.pass(writer.putErrors(from, errors));
      writer.countNonFinite(nonFiniteCount);
      // a curve is one slice
      if (from === 0) writer.putReadings(await readMergedPage(store, page, outputs, { values, errors }, problem));
    }
    yield* book.pass(writer.end());
    book.add(writer.page);
  }
  return book.close();
}

/** An uploaded curve while it comes: values, then errors. */
interface HeldCurve {
  readonly numbers: number[];
  read(problem: Problem): Reading[];
}

/** Undefined: the page is no curve. */
function holdCurve(header: FinalPageHeader): HeldCurve | undefined {
  const sizes = header.axes.map(({ centers }) => centers.length);
  const bins = sizes[curveAxisOf(sizes) ?? -1];
  if (bins === undefined || header.recordCount !== undefined || header.numberedBins !== undefined) return undefined;
  const numbers: number[] = [];
  const finite = (number: number) => (Number.isFinite(number) ? number : 0);
  return {
    numbers,
    read: (problem) =>
      readCurvePage(header, { values: numbers.slice(0, bins).map(finite), errors: numbers.slice(bins) }, problem),
  };
}

/** Keeps the list of pages, and the hash of all of them. */
class PageBook {
  readonly #hash: Hash;
  readonly #pages: FinalPage[] = [];
  #end = 0;

  constructor({ primaries, taskCount, isPartial, engine, warnings }: ResultsHeader) {
    this.#hash = createHash('sha256').update(JSON.stringify([primaries, taskCount, isPartial, engine, warnings]));
  }

  /** Where the next page begins. */
  get end(): number {
    return this.#end;
  }

  *pass(pieces: Iterable<Piece>): Generator<Piece> {
    for (const piece of pieces) {
      this.#hash.update(piece.bytes);
      yield piece;
    }
  }

  add(page: FinalPage): void {
    this.#hash.update(JSON.stringify(page));
    this.#pages.push(page);
    this.#end += finalPagePlaces(page).end;
  }

  close(): { pages: FinalPage[]; version: string } {
    return { pages: this.#pages, version: this.#hash.digest('hex') };
  }
}

/** Puts the numbers of one page in their places. */
class PageWriter {
  readonly #places;
  #page: FinalPage;
  #count = 0;
  #nonFiniteCount = 0;
  /** One bit a bin: its value is not finite, so that its error means nothing. Undefined: there is no such bin yet. */
  #nonFiniteBins: Uint8Array | undefined;

  /**
   * @param nonFiniteCount - bins of which the sender knows that their value was not finite
   * @param start - place of the page
   */
  constructor(
    private readonly header: EstimatorPageHeader & { readonly metadataJson?: string },
    private readonly nonFiniteCount: number,
    private readonly start: number,
  ) {
    this.#page = describeFinalPage(header);
    this.#places = finalPagePlaces({ ...this.#page, hasErrors: true });
  }

  /** The page as it is known by now. */
  get page(): FinalPage {
    const nonFiniteCount = Math.max(this.#nonFiniteCount, this.nonFiniteCount);
    return { ...this.#page, nonFiniteCount };
  }

  countNonFinite(count: number): void {
    this.#nonFiniteCount += count;
  }

  putReadings(readings: readonly Reading[]): void {
    this.#page = { ...this.#page, readings };
  }

  /** The next numbers: all values, then all errors. */
  *push(numbers: Float64Array): Generator<Piece> {
    const { bins } = this.#places;
    const values = numbers.subarray(0, Math.max(0, bins - this.#count));
    const errors = numbers.subarray(values.length);
    if (values.length > 0) {
      this.#markNonFinite(values, this.#count);
      yield* this.putValues(this.#count, values);
    }
    this.#count += values.length;
    const first = this.#count - bins;
    if (errors.length > 0) yield* this.putErrors(first, this.#withoutMarked(errors, first));
    this.#count += errors.length;
  }

  *putValues(from: number, values: Float64Array): Generator<Piece> {
    yield this.#piece(from * BYTES_PER_NUMBER, values);
  }

  /** Errors are stored from the first one on that is known; those before it are made up for. */
  *putErrors(from: number, errors: Float64Array): Generator<Piece> {
    if (!this.#page.hasErrors) {
      if (!errors.some(Number.isFinite)) return;
      this.#page = { ...this.#page, hasErrors: true };
      yield* this.#unknownErrors(from);
    }
    yield this.#piece(this.#places.errors + from * BYTES_PER_NUMBER, errors);
  }

  /** Bin centres and metadata. */
  *end(): Generator<Piece> {
    let at = this.#places.centers;
    for (const { centers } of this.header.axes) {
      yield this.#piece(at, Float64Array.from(centers));
      at += centers.length * BYTES_PER_NUMBER;
    }
    const { metadataJson = '' } = this.header;
    if (metadataJson === '') return;
    yield { at: this.start + finalPagePlaces(this.#page).metadata, bytes: Buffer.from(metadataJson) };
  }

  *#unknownErrors(count: number): Generator<Piece> {
    for (let from = 0; from < count; from += NUMBERS_AT_ONCE) {
      const numbers = new Float64Array(Math.min(NUMBERS_AT_ONCE, count - from)).fill(Number.NaN);
      yield this.#piece(this.#places.errors + from * BYTES_PER_NUMBER, numbers);
    }
  }

  #piece(at: number, numbers: Float64Array): Piece {
    return { at: this.start + at, bytes: encodeNumbers(numbers) };
  }

  #markNonFinite(values: Float64Array, first: number): void {
    for (let index = 0; index < values.length; index += 1) {
      if (Number.isFinite(values[index])) continue;
      this.#nonFiniteBins ??= new Uint8Array(Math.ceil(this.#places.bins / 8));
      const bin = first + index;
      this.#nonFiniteBins[bin >> 3] = (this.#nonFiniteBins[bin >> 3] ?? 0) | (1 << (bin & 7));
      this.#nonFiniteCount += 1;
    }
  }

  #withoutMarked(errors: Float64Array, first: number): Float64Array {
    const marked = this.#nonFiniteBins;
    if (marked === undefined) return errors;
    return errors.map((error, index) => {
      const bin = first + index;
      return ((marked[bin >> 3] ?? 0) & (1 << (bin & 7))) === 0 ? error : Number.NaN;
    });
  }
}
