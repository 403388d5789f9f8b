import { fail } from './errors.js';

/** Deepest nesting of a submitted value; scene trees of the editor stay far below. */
const DEPTH_MAX = 500;

/**
 * Text of one member of a JSON object exactly as it was written, so that numbers keep their digits and unknown keys
 * their place. `text` must be valid JSON, an object; of several members with the name the last counts, as in JSON.parse.
 * One pass, no recursion.
 * @throws ServiceError BODY_MALFORMED when the object is nested more than 500 levels deep
 */
export function rawMember(text: string, name: string): string | undefined {
  let found: string | undefined;
  let at = skipBlanks(text, skipBlanks(text, 0) + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (key === name) found = text.slice(start, end);
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return found;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}

/** Index after the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at + 1);
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

const STRUCTURE = /["[\]{}]/g;
const SCALAR_END = /[\s,}]/g;

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from);
  if (text[from] !== '{' && text[from] !== '[') return search(SCALAR_END, text, from);
  let depth = 0;
  let at = from;
  for (;;) {
    at = search(STRUCTURE, text, at);
    const sign = text[at];
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    depth += sign === '{' || sign === '[' ? 1 : -1;
    at++;
    if (depth === 0) return at;
    if (depth > DEPTH_MAX) throw fail('BODY_MALFORMED', { message: 'The body is nested too deeply' });
  }
}

function search(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
