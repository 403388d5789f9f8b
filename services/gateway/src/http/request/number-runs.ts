import { createHash } from 'node:crypto';
import { fail } from '../../errors.js';
import { GrowingRun, type NumberRun } from './growing-run.js';
import { parsePythonJson } from './python-json.js';

/*
 * Long lists of numbers are taken out of a JSON text while it arrives, and become float64: of results of ten million numbers
 * (223 MB of text) 80 MB are held, and no piece of work takes longer than reading 64 KiB. In the text that is left a string stands
 * for the numbers of each list; whoever has parsed it puts them back.
 */

export interface NumberLimits {
  /** Most numbers that are taken out. */
  readonly numbersMax: number;
  /** Called before so many bytes more are held. @throws ServiceError when there is no room */
  readonly hold: (bytes: number) => void;
}

/** What becomes of a list from a place on: its numbers are taken up to `end`, `stead` stands for them; undefined: it stays text. */
type Step =
  | { readonly kind: 'taken'; readonly end: number; readonly stead: Buffer; readonly isWhole: boolean }
  | { readonly kind: 'left'; readonly end: number; readonly stead: Buffer }
  | { readonly kind: 'wait' };

/** A shorter list stays in the text, bytes. */
const SHORT_LIST_BYTES = 1024;
/** A number, or a word for one that is not finite, is no longer, bytes. */
const NUMBER_BYTES_MAX = 1024;
const [COMMA, CLOSE_LIST] = [0x2c, 0x5d];
/** What begins a number, or what stands for one: -1, 2, NaN, Infinity, null. */
const NUMBER_START = new Set(Buffer.from('-0123456789NIn'));
const BLANKS = new Set(Buffer.from(' \t\r\n'));
const NOTHING = Buffer.alloc(0);

/** In place of the numbers of a list stands its first element, a string: this and the index of the run. */
const MARK = '\0numbers ';

/** Takes numbers out of lists, one list after the other. @throws ServiceError BODY_TOO_LARGE */
export class NumberTaker {
  readonly #runs: GrowingRun[] = [];
  readonly #hash = createHash('sha256');
  /** Of the list at hand, once it is known to be long. */
  #run: GrowingRun | undefined;
  #numberCount = 0;

  constructor(private readonly limits: NumberLimits) {}

  /** What becomes of the list at hand, whose inside goes on at `from`. */
  take(bytes: Buffer, from: number): Step | undefined {
    const close = bytes.indexOf(CLOSE_LIST, from);
    const isWhole = close >= 0;
    if (this.#run === undefined) {
      if (!mayBeNumber(bytes, from)) return undefined;
      if (!isWhole && bytes.length - from <= SHORT_LIST_BYTES) return { kind: 'wait' };
      if (isWhole && close - from <= SHORT_LIST_BYTES) return undefined;
    }
    const end = isWhole ? close : bytes.lastIndexOf(COMMA);
    if (end < from && bytes.length - from <= NUMBER_BYTES_MAX) return { kind: 'wait' };
    const numbers = end < from ? undefined : parseNumbers(bytes.toString('latin1', from, end));
    if (numbers === undefined) return this.#leave(from);
    const stead = this.#add(numbers);
    if (isWhole) this.#endRun();
    return { kind: 'taken', end: isWhole ? end : end + 1, stead, isWhole };
  }

  taken(): TakenNumbers {
    const runs = this.#runs.map((run) => run.numbers());
    return new TakenNumbers(runs, this.#hash.digest('hex'));
  }

  /** What follows is text; a comma parts it from the numbers before it. */
  #leave(end: number): Step | undefined {
    if (this.#run === undefined) return undefined;
    this.#endRun();
    return { kind: 'left', end, stead: Buffer.from(',') };
  }

  #endRun(): void {
    this.#hash.update(` ${this.#numberCount} `);
    this.#run = undefined;
  }

  /** Gives what stands for them, if they are the first of their list. */
  #add(numbers: Float64Array): Buffer {
    this.#numberCount += numbers.length;
    const { numbersMax, hold } = this.limits;
    if (this.#numberCount > numbersMax) {
      throw fail('BODY_TOO_LARGE', { message: `The body is too large: at most ${numbersMax} numbers` });
    }
    hold(numbers.byteLength);
    this.#hash.update(numbers);
    const run = this.#run ?? new GrowingRun(numbersMax);
    run.add(numbers);
    if (this.#run !== undefined) return NOTHING;
    this.#run = run;
    return Buffer.from(JSON.stringify(`${MARK}${this.#runs.push(run) - 1}`));
  }
}

function mayBeNumber(bytes: Buffer, from: number): boolean {
  let at = from;
  while (BLANKS.has(bytes[at] ?? 0)) at += 1;
  return at === bytes.length || NUMBER_START.has(bytes[at] ?? 0);
}

/** The inside of a list; null, and what Python writes in its place, is NaN. Undefined: it is not numbers, at least one of them. */
function parseNumbers(text: string): Float64Array | undefined {
  let list: unknown[];
  try {
    list = parsePythonJson(`[${text}]`) as unknown[];
  } catch {
    return undefined;
  }
  if (list.length === 0) return undefined;
  const numbers = new Float64Array(list.length);
  for (let index = 0; index < list.length; index += 1) {
    const value = list[index];
    if (typeof value !== 'number' && value !== null) return undefined;
    numbers[index] = value ?? Number.NaN;
  }
  return numbers;
}

/** Numbers that were taken out of a text. */
export class TakenNumbers {
  /** @param hash - SHA-256 of all of them and of where runs begin, hex */
  constructor(
    readonly runs: readonly NumberRun[] = [],
    readonly hash = '',
  ) {}

  /** Of the numbers. */
  get sizeBytes(): number {
    return this.runs.reduce((sum, run) => sum + run.byteLength, 0);
  }

  get isEmpty(): boolean {
    return this.runs.length === 0;
  }

  /**
   * A value that was parsed from the text, its numbers put back: a list of nothing else is what `whole` makes of them, another
   * one has them as its first elements.
   */
  putBack(value: unknown, whole: (numbers: NumberRun) => unknown = (numbers) => numbers): unknown {
    if (this.isEmpty || typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.putBack(member, whole)]));
    }
    const list = value as readonly unknown[];
    const numbers = this.#runOf(list[0]);
    if (numbers === undefined) return list.map((element) => this.putBack(element, whole));
    return list.length === 1 ? whole(numbers) : [...numbers, ...list.slice(1)];
  }

  #runOf(mark: unknown): NumberRun | undefined {
    if (typeof mark !== 'string' || !mark.startsWith(MARK)) return undefined;
    return this.runs[Number(mark.slice(MARK.length))];
  }
}
