import { countNumbers, type TextPart, textPieces } from '@tally/number-text';

/** Fewer numbers are written here, with the text around them: messages of their own would cost more. */
const LONG_LIST_NUMBERS = 4096;
const COMMA: TextPart = { text: Buffer.from(',') };

function isLong(part: TextPart): boolean {
  return !('text' in part) && countNumbers(part) >= LONG_LIST_NUMBERS;
}

/** Writes what is short of a page's text, and passes long lists on as they are: whoever sends the text writes them. */
export async function* writeShortLists(parts: AsyncIterable<TextPart>): AsyncGenerator<TextPart> {
  const short: TextPart[] = [];
  async function* written(): AsyncGenerator<TextPart> {
    for await (const text of textPieces(short.splice(0))) yield { text };
  }
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
