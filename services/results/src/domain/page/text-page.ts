import { type PageRegion, regionRuns } from '@tally/merge';
import type { NumberPage, Numbers } from './number-page.js';
import type { PageSummary } from './page.js';
import { keptAxes, type PageAxes, regionOf } from './page-view.js';

/** Lists of numbers in the text of a page. */
const LISTS = ['values', 'dimensions', 'errors'] as const;
type ListName = (typeof LISTS)[number];
/** A name with its quotes: within a text of JSON quotes are escaped. */
const markOf = (name: ListName) => `"${name}":[`;
const MARK_LENGTH_MAX = Math.max(...LISTS.map((name) => markOf(name).length));

/** A piece of the text of a page: what is around its lists, or numbers of one; `dimensions` has a list an axis. */
type TextPiece =
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'numbers'; readonly list: ListName; readonly axis: number; readonly numbers: Numbers };

/** The text with its lists empty. */
interface Frame {
  readonly data: { readonly unit: string; readonly axes?: readonly { readonly name: string; readonly unit: string }[] };
  readonly metadata?: object;
}

/**
 * A part of a page of which the JSON text is stored and nothing else, as earlier releases did it; `pageText` writes the same. The
 * text is read anew for each array, a piece at a time: nothing is held.
 * @param text - begins to read it
 * @throws ServiceError AXIS_INVALID
 */
export async function openTextPage(
  { estimatorIndex, estimatorName, pageNumber, pageName, sizes, nonFiniteCount = 0 }: PageSummary,
  text: () => AsyncIterable<Uint8Array>,
  selected: PageAxes,
): Promise<NumberPage> {
  const { data, metadata } = await readFrame(text());
  const axes = sizes.map((_, axis) => data.axes?.[axis] ?? { name: '', unit: '' });
  const region = regionOf({ estimatorIndex, estimatorName, pageNumber }, sizes, selected);
  const kept = keptAxes(region, axes);
  return {
    estimatorIndex,
    estimatorName,
    pageNumber,
    pageName,
    unit: data.unit,
    axes: kept.map(({ axis: { name, unit }, size }) => ({ name, unit, size })),
    hasErrors: true,
    nonFiniteCount: selected.length === 0 ? nonFiniteCount : 0,
    values: () => pickRuns(numbersOf(text(), 'values'), region),
    errors: () => pickRuns(numbersOf(text(), 'errors'), region),
    async centers(axis) {
      const { index = 0, first = 0, size = 0 } = kept[axis] ?? {};
      const centers: number[] = [];
      for await (const numbers of numbersOf(text(), 'dimensions', index)) centers.push(...numbers);
      return Float64Array.from(centers.slice(first, first + size));
    },
    metadata: () => Promise.resolve(Buffer.from(metadata === undefined ? '' : JSON.stringify(metadata))),
  };
}

async function readFrame(text: AsyncIterable<Uint8Array>): Promise<Frame> {
  let frame = '';
  for await (const piece of scan(text)) if (piece.kind === 'frame') frame += piece.text;
  return JSON.parse(frame) as Frame;
}

async function* numbersOf(text: AsyncIterable<Uint8Array>, list: ListName, axis = 0): AsyncGenerator<Numbers> {
  for await (const piece of scan(text)) {
    if (piece.kind === 'numbers' && piece.list === list && piece.axis === axis) yield piece.numbers;
  }
}

/** Of the numbers of all bins those of a region, in the order of their bins. */
async function* pickRuns(pieces: AsyncIterable<Numbers>, region: PageRegion): AsyncGenerator<Numbers> {
  const runs = regionRuns(region);
  let run = runs.next();
  let at = 0;
  for await (const piece of pieces) {
    const end = at + piece.length;
    while (!run.done && run.value.from < end) {
      const { from, count } = run.value;
      yield piece.slice(Math.max(from, at) - at, Math.min(from + count, end) - at);
      if (from + count > end) break;
      run = runs.next();
    }
    at = end;
  }
}

async function* scan(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TextPiece> {
  const decoder = new TextDecoder();
  const scanner = new TextScanner();
  for await (const piece of pieces) yield* scanner.push(decoder.decode(piece, { stream: true }));
  yield { kind: 'frame', text: scanner.end() };
}

/** Tells lists of numbers in a text from what is around them. */
class TextScanner {
  #rest = '';
  /** Lists that have not been met: metadata, which come last, may have their names again. */
  readonly #left = new Set<ListName>(LISTS);
  #list: ListName | undefined;
  /** Lists that one is in, and lists within the outermost one that have ended. */
  #depth = 0;
  #axis = 0;

  /** What the next part of the text completes. */
  *push(text: string): Generator<TextPiece> {
    this.#rest += text;
    while (this.#list !== undefined || (yield* this.#findList())) if (!(yield* this.#readList(this.#list))) return;
  }

  /** What is left behind the last list. */
  end(): string {
    if (this.#list !== undefined) throw new RangeError('the text of a page ends within a list');
    return this.#rest;
  }

  /** False: no list begins in what there is. */
  *#findList(): Generator<TextPiece, boolean> {
    const found = [...this.#left]
      .map((name) => ({ name, at: this.#rest.indexOf(markOf(name)) }))
      .filter(({ at }) => at >= 0);
    const [next] = found.toSorted((a, b) => a.at - b.at);
    // a mark may have been cut
    const end = next === undefined ? this.#rest.length - MARK_LENGTH_MAX : next.at + markOf(next.name).length;
    yield { kind: 'frame', text: this.#take(Math.max(0, end)) };
    if (next === undefined) return false;
    this.#left.delete(next.name);
    [this.#list, this.#depth, this.#axis] = [next.name, 1, 0];
    return true;
  }

  /** False: the list goes on behind what there is. */
  *#readList(list: ListName = 'values'): Generator<TextPiece, boolean> {
    while (this.#depth > 0) {
      const bracket = this.#rest.search(/[[\]]/);
      const numbers = this.#take(bracket < 0 ? this.#rest.lastIndexOf(',') + 1 : bracket).split(',');
      const parsed = Float64Array.from(numbers.filter((number) => number.trim() !== '').map(Number));
      if (parsed.length > 0) yield { kind: 'numbers', list, axis: this.#axis, numbers: parsed };
      if (bracket < 0) return false;
      const isEnd = this.#rest.startsWith(']');
      this.#depth += isEnd ? -1 : 1;
      if (this.#depth === 0) break; // its bracket belongs to what is around
      this.#take(1);
      if (isEnd) this.#axis += 1;
    }
    this.#list = undefined;
    return true;
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return taken;
  }
}
