import { fail } from '../errors.js';

/** Deepest nesting of a member; scene trees of the editor stay far below. */
const DEPTH_MAX = 500;

/** Most members that are read; no body of the API has as many as thirty. */
const MEMBER_COUNT_MAX = 1_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x7b, 0x7d];

/** After so many characters without a quote or bracket, as in a list of numbers, the next one is looked for natively. */
const PLAIN_RUN = 64;

/**
 * The members of a JSON object, each with its text exactly as it was written: numbers keep their digits, unknown keys
 * their place. Of several members with one name the last counts, as in JSON.parse. What a value holds is not looked at
 * beyond its strings and brackets, in one pass without recursion: five times faster than reading it, fifty times for long
 * lists of numbers, and whoever reads it checks it anyway.
 * @throws ServiceError BODY_MALFORMED when the text is no object, nested more than 500 levels deep, or has over 1000 members
 */
export function rawMembers(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const signs = new Signs(text);
  let count = 0;
  const end = eachPart(text, '{', '}', (at) => {
    count++;
    if (count > MEMBER_COUNT_MAX) throw fail('BODY_MALFORMED', { message: 'The body has too many members' });
    const keyEnd = endOfString(text, expectSign(text, at, '"', at));
    const start = expectSign(text, skipBlanks(text, keyEnd), ':');
    const valueEnd = endOfValue(text, start, signs);
    members.set(readKey(text.slice(at, keyEnd)), text.slice(start, valueEnd));
    return valueEnd;
  });
  if (end !== text.length) throw fail('BODY_MALFORMED');
  return members;
}

/**
 * The elements of a JSON list, each with its text exactly as it was written; like {@link rawMembers}.
 * @param onElement - called before each one is looked for, so that it can refuse more
 * @throws ServiceError BODY_MALFORMED when the text is no list, or nested more than 500 levels deep
 */
export function rawElements(text: string, onElement: () => void = () => {}): readonly string[] {
  const elements: string[] = [];
  const signs = new Signs(text);
  const end = eachPart(text, '[', ']', (at) => {
    onElement();
    const valueEnd = endOfValue(text, at, signs);
    elements.push(text.slice(at, valueEnd));
    return valueEnd;
  });
  if (end !== text.length) throw fail('BODY_MALFORMED');
  return elements;
}

/** Walks over what stands between brackets, separated by commas. @param walk - from the beginning of a part to its end */
function eachPart(text: string, open: string, close: string, walk: (at: number) => number): number {
  let at = expectSign(text, skipBlanks(text, 0), open);
  if (text[at] !== close) {
    for (;;) {
      at = skipBlanks(text, walk(at));
      if (text[at] !== ',') break;
      at = skipBlanks(text, at + 1);
    }
  }
  return expectSign(text, at, close);
}

/** Index of what follows the sign and blanks, or `next`. */
function expectSign(text: string, at: number, sign: string, next?: number): number {
  if (text[at] !== sign) throw fail('BODY_MALFORMED');
  return next ?? skipBlanks(text, at + 1);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}

function readKey(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}

/** Index after the closing quote of the string that opens at `from`. */
export function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) throw fail('BODY_MALFORMED');
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

const SCALAR_END = /[ \n\r\t,}\]]|$/g;

/** Index after the value that begins at `from`. */
function endOfValue(text: string, from: number, signs: Signs): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return endOfString(text, from);
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) {
    SCALAR_END.lastIndex = from;
    const end = SCALAR_END.exec(text)?.index ?? text.length;
    if (end === from) throw fail('BODY_MALFORMED');
    return end;
  }
  let depth = 0;
  for (let at = nextSign(text, from, signs); at < text.length; at = nextSign(text, at, signs)) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    at++;
    if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else depth--;
    if (depth === 0) return at;
    if (depth > DEPTH_MAX) throw fail('BODY_MALFORMED', { message: 'The body is nested too deeply' });
  }
  throw fail('BODY_MALFORMED');
}

/** Index of the next quote or bracket, or the length of the text. */
function nextSign(text: string, from: number, signs: Signs): number {
  const end = Math.min(from + PLAIN_RUN, text.length);
  for (let at = from; at < end; at++) {
    const sign = text.charCodeAt(at);
    // bit 5 is what `[` and `{`, `]` and `}` differ in
    if (sign === QUOTE || (sign | 0x20) === OPEN_OBJECT || (sign | 0x20) === CLOSE_OBJECT) return at;
  }
  return signs.next(end);
}

const SIGNS = ['"', '[', ']', '{', '}'] as const;

/** Where the next quote or bracket is, looked for natively; what was found ahead is kept, so that nothing is passed twice. */
class Signs {
  readonly #ahead = SIGNS.map(() => -1);

  constructor(private readonly text: string) {}

  /** Index of the first of the signs at `from` or later, else the length of the text; `from` never decreases. */
  next(from: number): number {
    let first = this.text.length;
    for (let i = 0; i < SIGNS.length; i++) {
      let at = this.#ahead[i] ?? -1;
      if (at < from) {
        const found = this.text.indexOf(SIGNS[i] ?? '', from);
        at = found < 0 ? this.text.length : found;
        this.#ahead[i] = at;
      }
      if (at < first) first = at;
    }
    return first;
  }
}
