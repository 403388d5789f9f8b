import { crc32 } from 'node:zlib';
import { JOINABLE_HEADER, joinableEnd } from '@tally/contracts';
import { takeNumberBytes } from '@tally/merge';
import {
  type Counted,
  countNumbers,
  gatherParts,
  numberModule,
  type TextPart,
  textPieces,
  writePiece,
} from '@tally/number-text';
import { numbersFrom } from '../domain/page/number-page.js';
import { NUMBERS_PER_PART } from '../domain/page/page-text.js';
import type { PageEncoder } from '../domain/ports.js';
import { deflateText } from './number-deflate.js';

/** Makes of the parts of a page's text what is sent of it: a piece at a time, a few milliseconds each. */
export const pageEncoder: PageEncoder = {
  text: (parts) => asParts(textPieces(parts)),
  gzip: (parts) => asParts(gzipPieces(parts)),
  numbers: (parts) => longLists(withoutCounted(parts)),
  counted: longLists,
};

async function* asParts(pieces: AsyncIterable<Buffer>): AsyncGenerator<TextPart> {
  for await (const text of pieces) yield { text };
}

/** One joinable gzip member (ADR 7). */
async function* gzipPieces(parts: AsyncIterable<TextPart>): AsyncGenerator<Buffer> {
  let [crc, length] = [0, 0];
  let header: Buffer[] = [JOINABLE_HEADER];
  for await (const piece of gatherParts(parts)) {
    const module = numberModule();
    const text = writePiece(module, piece);
    crc = crc32(text, crc);
    length += text.byteLength;
    yield Buffer.concat([...header, deflateText(module)]);
    header = [];
  }
  yield Buffer.concat([...header, joinableEnd(crc, length)]);
}

/** Fewer numbers are written here, with the text around them: messages of their own would cost more. */
const LONG_LIST_NUMBERS = 4096;
const COMMA: TextPart = { text: Buffer.from(',') };

function isLong(part: TextPart): boolean {
  return !('text' in part) && countNumbers(part) >= LONG_LIST_NUMBERS;
}

async function* longLists(parts: AsyncIterable<TextPart>): AsyncGenerator<TextPart> {
  const short: TextPart[] = [];
  const written = () => asParts(textPieces(fromArray(short.splice(0))));
  for await (const part of parts) {
    if (!isLong(part)) {
      short.push(part);
      continue;
    }
    if (short.length > 0 && 'isFirst' in part && !part.isFirst) short.push(COMMA);
    yield* written();
    yield part;
  }
  yield* written();
}

async function* withoutCounted(parts: AsyncIterable<TextPart>): AsyncGenerator<TextPart> {
  for await (const part of parts) {
    if ('counted' in part) yield* numbersOf(part.counted);
    else yield part;
  }
}

function* numbersOf({ first, count }: Counted): Generator<TextPart> {
  for (let from = 0; from < count; from += NUMBERS_PER_PART) {
    const numbers = numbersFrom(first + from, Math.min(NUMBERS_PER_PART, count - from));
    yield { numbers: takeNumberBytes(numbers), isFirst: from === 0, hasNulls: false };
  }
}

async function* fromArray<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
