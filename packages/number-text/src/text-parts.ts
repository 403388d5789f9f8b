import { NUMBER_BYTES_MAX, type NumberModule, numberModule } from './number-module.js';

/** A part of a text. Its numbers are written as the shortest decimals that read back as the same float64. */
export type TextPart =
  /** UTF-8. */
  | { readonly text: Uint8Array }
  /** Numbers of a list, with a comma between any two of them. */
  | {
      /** Little-endian float64. */
      readonly numbers: Uint8Array;
      /** No number precedes them in their list. */
      readonly isFirst: boolean;
      /** What is not finite: true: null, false: 0. */
      readonly hasNulls: boolean;
    }
  /** A whole list of so many nulls, with a comma between any two of them. */
  | { readonly nullCount: number };

const BYTES_PER_NUMBER = 8;
/** Text of one piece beside its numbers, bytes. With these a piece stays below 256 KiB, a message's limit. */
const TEXT_BYTES_MAX = 32 * 1024;
/** Each is written as null. */
const NOT_FINITE = new Uint8Array(new Float64Array(NUMBER_BYTES_MAX / BYTES_PER_NUMBER).fill(Number.NaN).buffer);

/** The text as UTF-8, in pieces of at most 256 KiB, each of which takes a millisecond. */
export async function* textPieces(parts: AsyncIterable<TextPart>): AsyncGenerator<Buffer> {
  for await (const piece of gatherParts(parts)) yield Buffer.from(writePiece(numberModule(), piece));
}

type WrittenPart = Exclude<TextPart, { readonly nullCount: number }>;

/** Parts that are written at once. */
export type TextPiece = readonly WrittenPart[];

/** Gathers parts, and cuts those that are too large. */
export async function* gatherParts(parts: AsyncIterable<TextPart>): AsyncGenerator<TextPiece> {
  let piece: WrittenPart[] = [];
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
    const bytes = 'nullCount' in part ? part.nullCount * BYTES_PER_NUMBER : part.numbers.byteLength;
    const { isFirst, hasNulls } = 'nullCount' in part ? { isFirst: true, hasNulls: true } : part;
    for (let from = 0; from < bytes; ) {
      const roomBytes = Math.min(NUMBER_BYTES_MAX - numberBytes, bytes - from);
      const numbers =
        'nullCount' in part ? NOT_FINITE.subarray(0, roomBytes) : part.numbers.subarray(from, from + roomBytes);
      piece.push({ numbers, isFirst: isFirst && from === 0, hasNulls });
      from += roomBytes;
      numberBytes += roomBytes;
      if (numberBytes === NUMBER_BYTES_MAX) yield take();
    }
  }
  if (piece.length > 0) yield take();
}

/** The text of a piece in the module's memory: valid until the next one. */
export function writePiece(module: NumberModule, piece: TextPiece): Uint8Array {
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
