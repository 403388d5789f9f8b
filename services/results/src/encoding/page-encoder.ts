import { crc32 } from 'node:zlib';
import { JOINABLE_HEADER, joinableEnd } from '@tally/contracts';
import { BYTES_PER_NUMBER } from '@tally/merge';
import type { TextPart } from '../domain/page/page-text.js';
import type { PageEncoder } from '../domain/ports.js';
import { deflateText } from './number-deflate.js';
import { NUMBER_BYTES_MAX, type NumberModule, numberModule } from './number-module.js';

/** Text of one piece of a stream beside its numbers, bytes. With these a piece stays below 256 KiB, a message's limit. */
const TEXT_BYTES_MAX = 32 * 1024;

/** Turns the parts of a page's text into bytes: a piece at a time, a few milliseconds each. */
export const pageEncoder: PageEncoder = { text: textPieces, gzip: gzipPieces };

/** The text as UTF-8. */
async function* textPieces(parts: AsyncIterable<TextPart>): AsyncGenerator<Buffer> {
  for await (const piece of pieces(parts)) yield Buffer.from(textOf(numberModule(), piece));
}

/** One joinable gzip member (ADR 7). */
async function* gzipPieces(parts: AsyncIterable<TextPart>): AsyncGenerator<Buffer> {
  let [crc, length] = [0, 0];
  let header: Buffer[] = [JOINABLE_HEADER];
  for await (const piece of pieces(parts)) {
    const module = numberModule();
    const text = textOf(module, piece);
    crc = crc32(text, crc);
    length += text.byteLength;
    yield Buffer.concat([...header, deflateText(module)]);
    header = [];
  }
  yield Buffer.concat([...header, joinableEnd(crc, length)]);
}

/** Parts that go into one piece. */
type Piece = TextPart[];

/** Gathers parts, and cuts those that are too large. */
async function* pieces(parts: AsyncIterable<TextPart>): AsyncGenerator<Piece> {
  let piece: Piece = [];
  let [textBytes, numberBytes] = [0, 0];
  const take = () => {
    const taken = piece;
    [piece, textBytes, numberBytes] = [[], 0, 0];
    return taken;
  };
  for await (const part of parts) {
    if ('text' in part) {
      for (let from = 0; from < part.text.byteLength; ) {
        const text = part.text.subarray(from, from + TEXT_BYTES_MAX - textBytes);
        piece.push({ text });
        from += text.byteLength;
        textBytes += text.byteLength;
        if (textBytes === TEXT_BYTES_MAX) yield take();
      }
      continue;
    }
    for (let from = 0; from < part.numbers.byteLength; ) {
      const numbers = part.numbers.subarray(from, from + NUMBER_BYTES_MAX - numberBytes);
      piece.push({ numbers, isFirst: part.isFirst && from === 0, hasNulls: part.hasNulls });
      from += numbers.byteLength;
      numberBytes += numbers.byteLength;
      if (numberBytes === NUMBER_BYTES_MAX) yield take();
    }
  }
  if (piece.length > 0) yield take();
}

/** The text of a piece in the module's memory: valid until the next one. */
function textOf(module: NumberModule, piece: Piece): Uint8Array {
  module.clear();
  for (const part of piece) {
    if ('text' in part) {
      module.bytes.set(part.text, module.textEnd());
      module.extend(part.text.byteLength);
    } else {
      module.bytes.set(part.numbers, module.NUMBERS.value);
      module.appendNumbers(part.numbers.byteLength / BYTES_PER_NUMBER, Number(part.isFirst), Number(part.hasNulls));
    }
  }
  return module.bytes.subarray(module.TEXT.value, module.textEnd());
}
