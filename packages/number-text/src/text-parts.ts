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
  | { readonly nullCount: number }
  /** A whole list of whole numbers that only count, with a comma between any two of them. */
  | { readonly counted: Counted };

/** So many whole numbers from a first one on: `first`, `first` + 1 … At least 1, at most 2^53. */
export interface Counted {
  readonly first: number;
  readonly count: number;
}

const BYTES_PER_NUMBER = 8;
/** Numbers of one piece. */
const NUMBERS_MAX = NUMBER_BYTES_MAX / BYTES_PER_NUMBER;
/** Text of one piece beside its numbers, bytes. With these a piece stays below 256 KiB, a message's limit. */
const TEXT_BYTES_MAX = 32 * 1024;
/** Each is written as null. */
const NOT_FINITE = new Uint8Array(new Float64Array(NUMBERS_MAX).fill(Number.NaN).buffer);

/**
 * The text as UTF-8, in pieces of at most 256 KiB, each of which takes a millisecond.
 * @param copy - of a piece, before the next is written in its place: to memory of its own, unless given
 */
export async function* textPieces(
  parts: AsyncIterable<TextPart> | Iterable<TextPart>,
  copy = (piece: Uint8Array): Buffer => Buffer.from(piece),
): AsyncGenerator<Buffer> {
  for await (const piece of gatherParts(parts)) yield copy(writePiece(numberModule(), piece));
}

type ListPart = Exclude<TextPart, { readonly text: Uint8Array }>;
type WrittenPart =
  | Extract<TextPart, { readonly text: Uint8Array } | { readonly numbers: Uint8Array }>
  | { readonly counted: Counted; readonly isFirst: boolean };

/** Parts that are written at once. */
type TextPiece = readonly WrittenPart[];

/** Gathers parts, and cuts those that are too large. */
async function* gatherParts(parts: AsyncIterable<TextPart> | Iterable<TextPart>): AsyncGenerator<TextPiece> {
  let piece: WrittenPart[] = [];
  let [textBytes, numberCount] = [0, 0];
  const take = () => {
    const taken = piece;
    [piece, textBytes, numberCount] = [[], 0, 0];
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
    const count = countNumbers(part);
    for (let from = 0; from < count; ) {
      const taken = Math.min(NUMBERS_MAX - numberCount, count - from);
      piece.push(cutList(part, from, taken));
      from += taken;
      numberCount += taken;
      if (numberCount === NUMBERS_MAX) yield take();
    }
  }
  if (piece.length > 0) yield take();
}

/** Numbers of a list, or of a part of one. */
export function countNumbers(part: ListPart): number {
  if ('counted' in part) return part.counted.count;
  return 'nullCount' in part ? part.nullCount : part.numbers.byteLength / BYTES_PER_NUMBER;
}

/** So many numbers of a part, from one of them on. */
function cutList(part: ListPart, from: number, count: number): WrittenPart {
  const isFirst = from === 0;
  if ('counted' in part) return { counted: { first: part.counted.first + from, count }, isFirst };
  const bytes = count * BYTES_PER_NUMBER;
  if ('nullCount' in part) return { numbers: NOT_FINITE.subarray(0, bytes), isFirst, hasNulls: true };
  const start = from * BYTES_PER_NUMBER;
  const numbers = part.numbers.subarray(start, start + bytes);
  return { numbers, isFirst: isFirst && part.isFirst, hasNulls: part.hasNulls };
}

/** The text of a piece in the module's memory: valid until the next one. */
function writePiece(module: NumberModule, piece: TextPiece): Uint8Array {
  module.clear();
  for (const part of piece) {
    if ('text' in part) {
      module.bytes.set(part.text, module.textEnd());
      module.extend(part.text.byteLength);
    } else if ('counted' in part) {
      module.appendCounted(part.counted.first, part.counted.count, Number(part.isFirst));
    } else {
      module.bytes.set(part.numbers, module.NUMBERS.value);
      module.appendNumbers(part.numbers.byteLength / BYTES_PER_NUMBER, Number(part.isFirst), Number(part.hasNulls));
    }
  }
  return module.bytes.subarray(module.TEXT.value, module.textEnd());
}
