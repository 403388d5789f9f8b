import { createHash } from 'node:crypto';
import { joinNumbers } from '@tally/merge';
import { readNumbers } from '@tally/number-text';
import { fail } from '../errors.js';
import { parsePythonJson } from '../upload/python-json.js';
import { GrowingRun, type NumberRun } from './growing-run.js';
import { joinPieces } from './join-pieces.js';

/*
 * Long lists of numbers are taken out of a JSON text while it arrives, and become float64: of results of ten million numbers
 * (223 MB of text) 80 MB are held, and no piece of work takes longer than reading 64 KiB. What is left is a short text in
 * which a string stands for the numbers of each list; whoever has parsed it puts them back.
 */

export interface TakingLimits {
  /** Most text beside the numbers, bytes. */
  readonly textBytesMax: number;
  /** Most numbers that are taken out. */
  readonly numbersMax: number;
  /** Called before so many bytes more are held. @throws ServiceError when there is no room */
  hold(bytes: number): void;
  /** Sees the text that is left, piece by piece. @throws ServiceError when it refuses it */
  seeText?(bytes: Uint8Array): void;
}

/** A shorter list stays in the text, bytes. */
const SHORT_LIST_BYTES = 1024;
/** A number, or a word for one that is not finite, is no longer, bytes. */
const NUMBER_BYTES_MAX = 1024;
const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST] = [0x22, 0x2c, 0x5c, 0x5b, 0x5d];
/** What begins a number, or what stands for one: -1, 2, NaN, Infinity, null. */
const NUMBER_START = new Set(Buffer.from('-0123456789NIn'));
const BLANKS = new Set(Buffer.from(' \t\r\n'));

/** In place of the numbers of a list stands its first element, a string: this and the index of the run. */
const MARK = '\0numbers ';

/** Takes numbers out of a text that is pushed piece by piece. @throws ServiceError BODY_TOO_LARGE in every method */
export class NumberTaker {
  readonly #text: Buffer[] = [];
  readonly #runs: GrowingRun[] = [];
  readonly #hash = createHash('sha256');
  #mode: 'text' | 'string' | 'list' = 'text';
  /** What could not be decided on without what follows. */
  #held: Buffer = Buffer.alloc(0);
  /** In a string: it ends so far with an odd number of backslashes. */
  #isEscaped = false;
  /** In a list: its numbers, once it is known to be long. */
  #run: GrowingRun | undefined;
  #textBytes = 0;
  #numberCount = 0;

  constructor(private readonly limits: TakingLimits) {}

  push(piece: Buffer): void {
    const bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    this.#held = Buffer.alloc(0);
    for (let at = 0; at < bytes.length; ) {
      if (this.#mode === 'text') at = this.#passText(bytes, at);
      else if (this.#mode === 'string') at = this.#passString(bytes, at);
      else at = this.#takeNumbers(bytes, at);
    }
  }

  /** The text that is left, and what was taken out of it. */
  async end(): Promise<{ text: Buffer; numbers: TakenNumbers }> {
    this.#keep(this.#held);
    const runs = this.#runs.map((run) => run.numbers());
    return { text: await joinPieces(this.#text), numbers: new TakenNumbers(runs, this.#hash.digest('hex')) };
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#textBytes += bytes.length;
    const { textBytesMax } = this.limits;
    if (this.#textBytes > textBytesMax) throw tooLarge(`at most ${textBytesMax} bytes beside lists of numbers`);
    this.limits.hold(bytes.length);
    this.limits.seeText?.(bytes);
    this.#text.push(Buffer.from(bytes)); // a copy: the piece is large, and most of it goes
  }

  /** Up to behind the next quote, or the next bracket of a list that may be one of numbers. */
  #passText(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const sign = bytes[at];
      if (sign !== QUOTE && sign !== OPEN_LIST) continue;
      if (sign === OPEN_LIST) {
        let next = at + 1;
        while (BLANKS.has(bytes[next] ?? 0)) next += 1;
        if (next < bytes.length && !NUMBER_START.has(bytes[next] ?? 0)) continue;
      }
      this.#mode = sign === QUOTE ? 'string' : 'list';
      this.#keep(bytes.subarray(from, at + 1));
      return at + 1;
    }
    this.#keep(bytes.subarray(from));
    return bytes.length;
  }

  /** Up to behind the quote that ends the string. */
  #passString(bytes: Buffer, from: number): number {
    for (let end = bytes.indexOf(QUOTE, from); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
      if (this.#isEscapedAt(bytes, from, end)) continue;
      [this.#mode, this.#isEscaped] = ['text', false];
      this.#keep(bytes.subarray(from, end + 1));
      return end + 1;
    }
    this.#isEscaped = this.#isEscapedAt(bytes, from, bytes.length);
    this.#keep(bytes.subarray(from));
    return bytes.length;
  }

  #isEscapedAt(bytes: Buffer, from: number, end: number): boolean {
    let at = end;
    while (at > from && bytes[at - 1] === BACKSLASH) at -= 1;
    return (end - at + (at === from && this.#isEscaped ? 1 : 0)) % 2 === 1;
  }

  /** Takes what numbers there are; a list that is short or has anything else is text from there on. */
  #takeNumbers(bytes: Buffer, from: number): number {
    const close = bytes.indexOf(CLOSE_LIST, from);
    const isWhole = close >= 0;
    if (this.#run === undefined) {
      if (!isWhole && bytes.length - from <= SHORT_LIST_BYTES) return this.#wait(bytes, from);
      if (isWhole && close - from <= SHORT_LIST_BYTES) return this.#beText(from);
    }
    const end = isWhole ? close : bytes.lastIndexOf(COMMA);
    if (end < from) {
      return bytes.length - from <= NUMBER_BYTES_MAX ? this.#wait(bytes, from) : this.#beText(from);
    }
    const numbers = parseNumbers(bytes.subarray(from, end));
    if (numbers === undefined) return this.#beText(from);
    this.#add(numbers);
    if (!isWhole) return end + 1;
    this.#endList();
    return end;
  }

  #wait(bytes: Buffer, from: number): number {
    this.#held = Buffer.from(bytes.subarray(from));
    return bytes.length;
  }

  #beText(from: number): number {
    if (this.#run !== undefined) this.#keep(Buffer.from(','));
    this.#endList();
    return from;
  }

  #endList(): void {
    if (this.#run !== undefined) this.#hash.update(` ${this.#numberCount} `);
    [this.#mode, this.#run] = ['text', undefined];
  }

  #add(numbers: Float64Array): void {
    this.#numberCount += numbers.length;
    const { numbersMax } = this.limits;
    if (this.#numberCount > numbersMax) throw tooLarge(`at most ${numbersMax} numbers`);
    this.limits.hold(numbers.byteLength);
    if (this.#run === undefined) {
      this.#run = new GrowingRun(numbersMax);
      this.#keep(Buffer.from(JSON.stringify(`${MARK}${this.#runs.length}`)));
      this.#runs.push(this.#run);
    }
    this.#run.add(numbers);
    this.#hash.update(numbers);
  }
}

const tooLarge = (what: string) => fail('BODY_TOO_LARGE', { message: `The body is too large: ${what}` });

/** Undefined: they are not numbers, at least one of them. */
function parseNumbers(text: Buffer): Float64Array | undefined {
  const { pieces, endBytes } = readNumbers(text);
  const [first] = pieces;
  if (endBytes === text.length && first !== undefined) return pieces.length === 1 ? first : joinNumbers(pieces);
  const others = parseOthers(text.toString('latin1', endBytes));
  return others && joinNumbers([...pieces, others]);
}

/** Also what is no JSON number, but stands for one. */
function parseOthers(text: string): Float64Array | undefined {
  let parsed: unknown;
  try {
    parsed = parsePythonJson(`[${text}]`);
  } catch {
    return undefined;
  }
  const list = parsed as unknown[];
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
