import { fail } from '../../errors.js';
import { type NumberLimits, NumberTaker, type TakenNumbers } from './number-runs.js';

/** What a text may have, and what becomes of it while it arrives. */
export interface ScanOptions {
  /** Members of all objects together. */
  readonly keysMax: number;
  /** Objects, lists, and what stands in them, together. */
  readonly valuesMax: number;
  /** Members of the outermost object; 1000 unless given. */
  readonly membersMax?: number;
  /** Takes the text, piece by piece; what is taken out of it has gone. @throws ServiceError when it refuses it */
  readonly keep?: (bytes: Buffer) => void;
  /** Long lists of numbers are taken out of the text. */
  readonly numbers?: NumberLimits | undefined;
}

/** Deepest nesting of a member; scene trees of the editor stay far below. */
export const JSON_DEPTH_MAX = 500;
const NESTED_TOO_DEEPLY = `The body is nested too deeply: at most ${JSON_DEPTH_MAX} objects and lists inside one another`;
/** Most members of a body; no body of the API has as many as thirty. */
const MEMBER_COUNT_MAX = 1_000;
/** In a string so much is looked at byte by byte, then the next quote is looked for natively; and again, where that is escaped. */
const NEAR_BYTES = 32;

const [QUOTE, COMMA, COLON, BACKSLASH, OPEN, CLOSE] = [0x22, 0x2c, 0x3a, 0x5c, 0x7b, 0x7d];
const OPEN_LIST = 0x5b;
/** What `[` and `{`, `]` and `}` differ in. */
const BRACKET_BIT = 0x20;
const NOTHING = Buffer.alloc(0);
const isBlank = (sign: number | undefined) => sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09;

/** Where a member stands in the text, bytes: the key with its quotes, and the value. */
interface MemberPlace {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
}

/** What is next at the outermost level. */
type Expected = 'object' | 'key or end' | 'key' | 'colon' | 'value' | 'comma or end' | 'nothing';

/**
 * Finds the members of a JSON object whose text is pushed piece by piece, counts what is in it, and takes long lists of numbers
 * out of it. What a value holds is not looked at beyond its strings, brackets, commas and colons, so that no piece takes longer
 * than passing over its bytes; whoever reads the value checks it anyway. Of several members with one name the last counts, as in
 * JSON.parse. Places are those of the text that is kept.
 * @throws ServiceError BODY_MALFORMED, BODY_TOO_LARGE in every method
 */
export class JsonScanner {
  readonly #places: MemberPlace[] = [];
  #expected: Expected = 'object';
  readonly #taker: NumberTaker | undefined;
  /** Where the piece at hand begins in the text; moves with what is taken out of it. */
  #offset = 0;
  /** From where on the piece at hand has not been kept yet. */
  #keptTo = 0;
  /** Of a list: not decided on without what follows. */
  #held = NOTHING;
  #inList = false;
  #depth = 0;
  #keyCount = 0;
  #valueCount = 0;
  #inString = false;
  /** In a string: the next byte is escaped. */
  #isEscaped = false;
  /** The value at hand is a number or word. */
  #inWord = false;
  #keyStart = 0;
  #keyEnd = 0;
  #start = 0;

  constructor(private readonly options: ScanOptions) {
    this.#taker = options.numbers && new NumberTaker(options.numbers);
  }

  push(pushed: Buffer): void {
    const piece = this.#held.length === 0 ? pushed : Buffer.concat([this.#held, pushed]);
    [this.#held, this.#keptTo] = [NOTHING, 0];
    for (let at = 0; at < piece.length; ) {
      if (this.#inString) at = this.#passString(piece, at);
      else if (this.#inWord) at = this.#passWord(piece, at);
      else if (this.#inList) at = this.#passNumbers(piece, at);
      else if (this.#depth > 1) at = this.#passValue(piece, at);
      else at = this.#step(piece, at);
    }
    const end = piece.length - this.#held.length;
    this.#keepUpTo(piece, end);
    this.#offset += end;
  }

  /** What was taken out of the text. */
  get numbers(): TakenNumbers | undefined {
    return this.#taker?.taken();
  }

  /** The members by name, each with its text exactly as it was written. @param text - all that was pushed, or kept */
  members(text: Buffer): ReadonlyMap<string, Buffer> {
    if (this.#expected !== 'nothing') throw fail('BODY_MALFORMED');
    return this.#read(text);
  }

  /** The members that are whole in what was pushed so far. */
  membersSoFar(text: Buffer): ReadonlyMap<string, Buffer> {
    return this.#read(text);
  }

  #read(text: Buffer): ReadonlyMap<string, Buffer> {
    return new Map(
      this.#places.map(({ keyStart, keyEnd, start, end }) => [
        readKey(text.subarray(keyStart, keyEnd)),
        text.subarray(start, end),
      ]),
    );
  }

  /** One sign at the outermost level. */
  #step(piece: Uint8Array, at: number): number {
    const sign = piece[at] ?? 0;
    if (isBlank(sign)) return at + 1;
    switch (this.#expected) {
      case 'object':
        if (sign !== OPEN) throw fail('BODY_MALFORMED', { message: 'The body must be a JSON object' });
        this.#depth = 1;
        this.#expected = 'key or end';
        return at + 1;
      case 'key or end':
      case 'key':
        if (sign === CLOSE && this.#expected === 'key or end') return this.#end(at);
        if (sign !== QUOTE) throw fail('BODY_MALFORMED');
        this.#keyStart = this.#offset + at;
        this.#inString = true;
        return at + 1;
      case 'colon':
        if (sign !== COLON) throw fail('BODY_MALFORMED');
        this.#countKey();
        this.#expected = 'value';
        return at + 1;
      case 'value':
        return this.#beginValue(sign, at);
      case 'comma or end':
        if (sign === CLOSE) return this.#end(at);
        if (sign !== COMMA) throw fail('BODY_MALFORMED');
        this.#expected = 'key';
        return at + 1;
      case 'nothing':
        throw fail('BODY_MALFORMED');
    }
  }

  #end(at: number): number {
    this.#depth = 0;
    this.#expected = 'nothing';
    return at + 1;
  }

  #beginValue(sign: number, at: number): number {
    this.#start = this.#offset + at;
    if (sign === QUOTE) this.#inString = true;
    else if ((sign | BRACKET_BIT) === OPEN) this.#open(sign);
    else if (sign === COMMA || (sign | BRACKET_BIT) === CLOSE || sign === COLON) throw fail('BODY_MALFORMED');
    else {
      this.#inWord = true;
      return at;
    }
    return at + 1;
  }

  #endValue(end: number): void {
    if (this.#places.length === (this.options.membersMax ?? MEMBER_COUNT_MAX)) {
      throw fail('BODY_MALFORMED', { message: 'The body has too many members' });
    }
    this.#places.push({ keyStart: this.#keyStart, keyEnd: this.#keyEnd, start: this.#start, end });
    this.#expected = 'comma or end';
  }

  #passWord(piece: Uint8Array, from: number): number {
    let at = from;
    for (; at < piece.length; at++) {
      const sign = piece[at] ?? 0;
      if (!isBlank(sign) && sign !== COMMA && (sign | BRACKET_BIT) !== CLOSE) continue;
      this.#inWord = false;
      this.#endValue(this.#offset + at);
      break;
    }
    return at;
  }

  /** Inside of a value: up to a string, or to the value's end. */
  #passValue(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const sign = piece[at] ?? 0;
      if (sign === QUOTE) {
        this.#inString = true;
        return at + 1;
      }
      if (sign === COMMA) this.#countValue();
      else if (sign === COLON) this.#countKey();
      else if ((sign | BRACKET_BIT) === OPEN) {
        this.#open(sign);
        if (this.#inList) return at + 1;
      } else if ((sign | BRACKET_BIT) === CLOSE) {
        this.#depth--;
        if (this.#depth > 1) continue;
        this.#endValue(this.#offset + at + 1);
        return at + 1;
      }
    }
    return piece.length;
  }

  #open(sign: number): void {
    this.#depth++;
    this.#countValue();
    this.#inList = sign === OPEN_LIST && this.#taker !== undefined;
    if (this.#depth > JSON_DEPTH_MAX + 1) throw fail('BODY_MALFORMED', { message: NESTED_TOO_DEEPLY });
  }

  #countKey(): void {
    this.#keyCount++;
    if (this.#keyCount > this.options.keysMax) throw tooMany(`${this.options.keysMax} members of objects`);
  }

  #countValue(): void {
    this.#valueCount++;
    if (this.#valueCount > this.options.valuesMax) throw tooMany(`${this.options.valuesMax} values`);
  }

  /** Takes the numbers that there are; a list that is short or has anything else is text from there on. */
  #passNumbers(piece: Buffer, from: number): number {
    const step = this.#taker?.take(piece, from);
    if (step?.kind === 'wait') {
      this.#held = Buffer.from(piece.subarray(from)); // a copy: the piece goes
      return piece.length;
    }
    this.#inList = step?.kind === 'taken' && !step.isWhole;
    if (step === undefined) return from;
    this.#keepUpTo(piece, from);
    if (step.stead.length > 0) this.options.keep?.(step.stead);
    this.#keptTo = step.end;
    this.#offset += step.stead.length - (step.end - from);
    return step.end;
  }

  #keepUpTo(piece: Buffer, end: number): void {
    if (end > this.#keptTo) this.options.keep?.(piece.subarray(this.#keptTo, end));
    this.#keptTo = end;
  }

  /** Up to behind the quote that ends the string. */
  #passString(piece: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    while (at < piece.length) {
      for (const near = Math.min(piece.length, at + NEAR_BYTES); at < near; ) {
        const sign = piece[at];
        if (sign === QUOTE) return this.#endString(at + 1);
        at += sign === BACKSLASH ? 2 : 1;
      }
      if (at >= piece.length) break;
      const quote = piece.indexOf(QUOTE, at);
      const end = quote < 0 ? piece.length : quote;
      at = isEscapedAt(piece, at, end) ? end + 1 : end;
    }
    this.#isEscaped = at > piece.length;
    return piece.length;
  }

  #endString(end: number): number {
    this.#inString = false;
    this.#isEscaped = false;
    if (this.#depth > 1) return end;
    if (this.#expected === 'value') this.#endValue(this.#offset + end);
    else {
      this.#keyEnd = this.#offset + end;
      this.#expected = 'colon';
    }
    return end;
  }
}

/** Whether an odd number of backslashes ends there. */
function isEscapedAt(piece: Uint8Array, from: number, end: number): boolean {
  let at = end;
  while (at > from && piece[at - 1] === BACKSLASH) at--;
  return (end - at) % 2 === 1;
}

const tooMany = (what: string) => fail('BODY_TOO_LARGE', { message: `The body is too large: at most ${what}` });

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readKey(text: Buffer): string {
  try {
    return String(JSON.parse(utf8.decode(text)));
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}
