/** JSON text that is read at once, bytes: a few milliseconds. */
const PIECE_BYTES = 1024 * 1024;
/** Longest escape: `\u0041`. */
const ESCAPE_BYTES_MAX = 6;
const BACKSLASH = 0x5c;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What a JSON string says, UTF-8: what `JSON.parse` reads, surrogates without their other half as U+FFFD. In pieces of at most a
 * megabyte and of whole characters.
 * @param json - with its quotes
 * @throws SyntaxError, TypeError it is no JSON string, or not UTF-8; pieces may have come before
 */
export function* jsonStringText(json: Buffer): Generator<Buffer> {
  const end = json.length - 1;
  let half = ''; // of a character that is written as two escapes
  for (let from = 1; from < end; ) {
    const to = endOfPiece(json, from, end);
    const text = half + (JSON.parse(`"${utf8.decode(json.subarray(from, to))}"`) as string);
    half = to < end && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    yield Buffer.from(text.slice(0, text.length - half.length));
    from = to;
  }
}

/** Before a character and not within an escape. */
function endOfPiece(json: Buffer, from: number, end: number): number {
  let to = from + PIECE_BYTES;
  if (to >= end) return end;
  const least = to - 3;
  while (to > least && ((json[to] ?? 0) & 0xc0) === 0x80) to -= 1;
  const near = json.subarray(to - ESCAPE_BYTES_MAX, to).lastIndexOf(BACKSLASH);
  if (near < 0) return to;
  const last = to - ESCAPE_BYTES_MAX + near;
  let first = last;
  while (first > from && json[first - 1] === BACKSLASH) first -= 1;
  // of backslashes in a row the first, third … begin escapes
  return (last - first) % 2 === 0 ? last : to;
}
