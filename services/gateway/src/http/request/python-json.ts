import { fail } from '../../errors.js';

/** What Python's json writes for numbers that JSON cannot represent. */
const NON_FINITE = /(?<![\w.+-])(?:NaN|-?Infinity)(?![\w.+-])/g;

/**
 * Reads JSON as Python's json writes it: `NaN`, `Infinity` and `-Infinity` are null. A text without them is read as it
 * is, once; only one that is not JSON is searched.
 * @throws ServiceError BODY_MALFORMED when it is not JSON otherwise
 */
export function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return parseReplaced(text);
  }
}

function parseReplaced(text: string): unknown {
  try {
    return JSON.parse(outsideStrings(text, (piece) => piece.replaceAll(NON_FINITE, 'null'))) as unknown;
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}

function outsideStrings(text: string, change: (piece: string) => string): string {
  let changed = '';
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return changed + change(text.slice(at));
    const end = endOfString(text, quote);
    changed += change(text.slice(at, quote)) + text.slice(quote, end);
    at = end;
  }
  return changed;
}

/** Index after the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
