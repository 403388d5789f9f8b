import { numberModule } from './number-module.js';

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
