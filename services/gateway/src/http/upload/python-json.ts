import { fail } from '../errors.js';
import { endOfString } from '../request/raw-members.js';

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
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    const next = quote < 0 ? end : endOfString(text, quote);
    pieces.push(change(text.slice(at, end)), text.slice(end, next));
    at = next;
  }
  return pieces.join('');
}
