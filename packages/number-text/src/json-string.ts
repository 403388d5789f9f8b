import { isUtf8 } from 'node:buffer';
import { NUMBER_BYTES_MAX, numberModule } from './number-module.js';

/** Text that is escaped at once, bytes: the module has room for six times as much. */
const TEXT_BYTES_MAX = 48 * 1024;

/**
 * UTF-8 as the inside of a JSON string, escaped as `JSON.stringify` does it, in pieces. Characters may be cut at the ends: what is
 * escaped is ASCII.
 */
export function* jsonStringPieces(text: Uint8Array): Generator<Buffer> {
  const module = numberModule();
  for (let from = 0; from < text.byteLength; from += TEXT_BYTES_MAX) {
    const piece = text.subarray(from, from + TEXT_BYTES_MAX);
    module.clear();
    module.bytes.set(piece, module.NUMBERS.value);
    module.appendEscaped(piece.byteLength);
    yield Buffer.from(module.bytes.subarray(module.TEXT.value, module.textEnd()));
  }
}

/** Parts of so much JSON that a piece is made of. */
const PARTS_OF_PIECE = 4;
const PART_BYTES_MAX = NUMBER_BYTES_MAX;

/**
 * What a JSON string says, as UTF-8: what `JSON.parse` reads, surrogates without their other half as U+FFFD. In pieces of at most
 * 256 KiB and of whole characters, each of which takes a third of a millisecond.
 * @param json - with its quotes
 * @param take - makes of a piece what is given of it, before the next is written in its place
 * @throws SyntaxError it is no JSON string, or not UTF-8; pieces may have come before
 */
export function* jsonStringText<Taken>(json: Uint8Array, take: (piece: Uint8Array) => Taken): Generator<Taken> {
  const module = numberModule();
  const end = json.byteLength - 1;
  for (let from = 1; from !== end; ) {
    module.clear();
    for (let parts = 0; parts < PARTS_OF_PIECE && from !== end; parts += 1) {
      // to the closing quote, where it stops; before, it may stop at an escape that is cut off
      const part = json.subarray(from, characterStart(json, from + PART_BYTES_MAX));
      module.bytes.set(part, module.NUMBERS.value);
      const bytes = module.appendUnescaped(part.byteLength);
      if (bytes === 0 || !isUtf8(part)) throw new SyntaxError('No JSON string in UTF-8');
      from += bytes;
    }
    yield take(module.bytes.subarray(module.TEXT.value, module.textEnd()));
  }
}

/** The last position up to `at` at which a character begins; of what is no UTF-8, any of the last four. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
