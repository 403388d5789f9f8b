import { BYTES_PER_NUMBER, encodeNumbers, NUMBERED_AXIS } from '@tally/merge';
import type { TextPart } from '@tally/number-text';
import { type FinalPage, finalPagePlaces } from '../result/result.js';
import { NumberStream } from './number-stream.js';

/** The numbers of a page in the order in which they are shown, as bytes; each is read whole before the next. */
export interface PageNumbers {
  values(): AsyncIterable<Uint8Array>;
  centers(): AsyncIterable<Uint8Array>;
  errors(): AsyncIterable<Uint8Array>;
  /** Shown where they are asked for; NaN: not known. */
  readonly effectiveHistories?: () => AsyncIterable<Uint8Array>;
  /** Shown with the errors of sums: of how many batches. */
  readonly errorBatches?: number;
  metadata(): Promise<Uint8Array>;
}

/** Numbers of one part, where they are made here. */
export const NUMBERS_PER_PART = 8192;

/**
 * The JSON text of one page as the public API shows it:
 * `{"page_number","name","data":{"values","dimensions","unit","errors","axes"}}`, and where there are such things
 * `"error_batches"` and `"effective_histories"` behind `errors`, `"non_finite_count"`, `"readings"` and `"metadata"` behind `data`.
 * Every number is the shortest decimal that reads back as the same float64. A value that is not finite becomes 0 with
 * error null; an error that is not finite is unknown: null. A list has a second axis: the numbers of its records, from 1; other pages may
 * have a last one like it.
 */
export async function* pageText(page: FinalPage, numbers: PageNumbers): AsyncGenerator<TextPart> {
  const { pageNumber, pageName, unit, axes, recordCount, nonFiniteCount } = page;
  const { bins } = finalPagePlaces(page);
  yield text(`{"page_number":${pageNumber},"name":${JSON.stringify(pageName)},"data":{"values":[`);
  yield* list(numbers.values(), false);
  yield text('],"dimensions":[');
  yield* dimensions(page, numbers.centers());
  if (recordCount !== undefined) {
    yield text(axes.length === 0 ? '[' : ',[');
    yield { counted: { first: 1, count: recordCount } };
    yield text(']');
  }
  yield text(`],"unit":${JSON.stringify(unit)},"errors":[`);
  if (page.hasErrors) yield* list(numbers.errors(), true);
  else yield { nullCount: bins };
  const named = axes.map(({ name, unit: axisUnit }) => ({ name, unit: axisUnit }));
  if (recordCount !== undefined) named.push(numberedAxis(page));
  const count = nonFiniteCount === 0 ? '' : `,"non_finite_count":${nonFiniteCount}`;
  yield text(numbers.errorBatches === undefined ? ']' : `],"error_batches":${numbers.errorBatches}`);
  if (numbers.effectiveHistories !== undefined) {
    yield text(',"effective_histories":[');
    yield* list(numbers.effectiveHistories(), true);
    yield text(']');
  }
  const { readings = [] } = page;
  const read = readings.length === 0 ? '' : `,"readings":${JSON.stringify(readings)}`;
  yield text(`,"axes":${JSON.stringify(named)}}${count}${read}`);
  if (page.metadataBytes > 0) {
    yield text(',"metadata":');
    yield { text: await numbers.metadata() };
  }
  yield text('}');
}

/** The axis that only numbers its bins: of a list, what its columns are of. */
export const numberedAxis = (page: Pick<FinalPage, 'hasNumberedBins'>) =>
  page.hasNumberedBins === true ? NUMBERED_AXIS : { name: 'particle', unit: '' };

const text = (string: string): TextPart => ({ text: Buffer.from(string) });

async function* list(arrays: AsyncIterable<Uint8Array>, hasNulls: boolean): AsyncGenerator<TextPart> {
  let isFirst = true;
  for await (const numbers of arrays) {
    if (numbers.byteLength === 0) continue;
    yield { numbers, isFirst, hasNulls };
    isFirst = false;
  }
}

/** The centres of all axes come one after the other: they are cut where one axis ends. */
async function* dimensions({ axes }: FinalPage, centers: AsyncIterable<Uint8Array>): AsyncGenerator<TextPart> {
  let [axis, count] = [0, 0];
  for await (const numbers of centers) {
    for (let from = 0; from < numbers.byteLength; ) {
      const bytes = (axes[axis]?.size ?? 0) * BYTES_PER_NUMBER;
      const run = numbers.subarray(from, from + bytes - count);
      if (count === 0) yield text(axis === 0 ? '[' : ',[');
      yield { numbers: run, isFirst: count === 0, hasNulls: false };
      from += run.byteLength;
      count += run.byteLength;
      if (count < bytes) continue;
      yield text(']');
      [axis, count] = [axis + 1, 0];
    }
  }
}

/** The numbers of a page that is stored. */
export function storedNumbers(page: FinalPage, bytes: AsyncIterable<Uint8Array>): PageNumbers {
  const { bins, centers, errors, metadata } = finalPagePlaces(page);
  const sections = new SectionReader(bytes);
  return {
    values: () => numbersOf(sections.take(centers)),
    centers: () => numbersOf(sections.take(errors - centers)),
    errors: () => numbersOf(sections.take(bins === 0 ? 0 : metadata - errors)),
    async metadata() {
      const pieces: Uint8Array[] = [];
      for await (const piece of sections.take(page.metadataBytes)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}

async function* numbersOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = new NumberStream();
  for await (const piece of pieces) yield stream.push(piece);
}

/** Reads a stream of bytes section by section. */
class SectionReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#pieces = bytes[Symbol.asyncIterator]();
  }

  /** The next so many bytes. */
  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.byteLength === 0) {
        const next = await this.#pieces.next();
        if (next.done) throw new RangeError('fewer bytes than the page has');
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.byteLength);
      left -= piece.byteLength;
      yield piece;
    }
  }
}

/** Numbers that are in memory, with the bin centres of the axes. */
export function heldNumbers(
  { values, errors }: { readonly values: Float64Array; readonly errors: Float64Array },
  axes: readonly { readonly centers: readonly number[] }[],
): PageNumbers {
  return {
    values: () => slices(values),
    centers: async function* () {
      for (const { centers } of axes) yield encodeNumbers(Float64Array.from(centers));
    },
    errors: () => slices(errors),
    metadata: () => Promise.resolve(new Uint8Array(0)),
  };
}

async function* slices(numbers: Float64Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < numbers.length; from += NUMBERS_PER_PART) {
    yield encodeNumbers(numbers.subarray(from, from + NUMBERS_PER_PART));
  }
}
