import { randomFillSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { encodeNumbers } from '@tally/merge';
import { type TextPart, textPieces } from '@tally/number-text';
import fc from 'fast-check';
import { writeShortLists } from './page-encoder.js';

async function* stream<T>(parts: readonly T[]): AsyncGenerator<T> {
  yield* parts;
}
async function textOf(parts: readonly TextPart[]): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of textPieces(parts)) all.push(piece);
  return Buffer.concat(all);
}

/** Random patterns of 64 bits: numbers of every size, some of them not finite. */
function anyNumbers(count: number): Float64Array {
  const numbers = new Float64Array(count);
  randomFillSync(new Uint8Array(numbers.buffer));
  return numbers;
}

/** Lists as they are read: each behind some text, in parts of any size, or as nulls. */
const someLists = fc.array(
  fc.record({
    lengths: fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 4_000, max: 9_000 })), {
      maxLength: 4,
    }),
    hasNulls: fc.boolean(),
    nullCount: fc.integer({ min: 0, max: 10_000 }),
    counted: fc.record({ first: fc.integer({ min: 1, max: 2 ** 50 }), count: fc.nat(20_000) }),
  }),
  { maxLength: 4 },
);

describe('the text with its long lists as numbers', () => {
  it('is the same when whoever takes it writes them, a list beginning behind text', async () => {
    await fc.assert(
      fc.asyncProperty(someLists, async (lists) => {
        const parts = lists.flatMap(({ lengths, hasNulls, nullCount, counted }): TextPart[] => [
          { text: Buffer.from('[') },
          ...lengths.map((length, index) => {
            return { numbers: encodeNumbers(anyNumbers(length)), isFirst: index === 0, hasNulls };
          }),
          { text: Buffer.from('],[') },
          { nullCount },
          { text: Buffer.from('],[') },
          { counted },
          { text: Buffer.from(']') },
        ]);
        const sent: TextPart[] = [];
        for await (const part of writeShortLists(stream(parts))) {
          const isFirst = sent.length === 0 || 'text' in (sent.at(-1) ?? {});
          sent.push('numbers' in part ? { ...part, isFirst } : part);
        }
        expect((await textOf(sent)).equals(await textOf(parts))).toBe(true);
        const isLong = (count: number) => count >= 4_096;
        const lengths = lists.flatMap((list) => list.lengths);
        const counts = lists.map(({ counted }) => counted.count);
        expect(sent.filter((part) => 'numbers' in part)).toHaveLength(lengths.filter(isLong).length);
        expect(sent.filter((part) => 'counted' in part)).toHaveLength(counts.filter(isLong).length);
      }),
      { numRuns: 50 },
    );
  });
});
