import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type TextPart, textPieces } from './text-parts.js';

/** Text of one piece at most, bytes. */
const PIECE_BYTES_MAX = 256 * 1024;

async function textOf(parts: readonly TextPart[]): Promise<string> {
  async function* stream() {
    yield* parts;
  }
  const pieces: Buffer[] = [];
  for await (const piece of textPieces(stream())) {
    expect(piece.byteLength).toBeLessThanOrEqual(PIECE_BYTES_MAX);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

const text = (string: string): TextPart => ({ text: Buffer.from(string) });
const count = (first: number, length: number) => Array.from({ length }, (_, index) => first + index);

/** Beginnings of counts on both sides of every power of ten and of two, and anywhere, none with a number above 2^53. */
const counts = fc
  .record({
    near: fc.oneof(
      fc.integer({ min: 0, max: 15 }).map((power) => 10 ** power),
      fc.integer({ min: 0, max: 53 }).map((power) => 2 ** power),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    ),
    before: fc.nat(1_200),
    length: fc.nat(2_000),
  })
  .map(({ near, before, length }) => {
    const first = Math.max(1, near - before);
    return { first, count: Math.min(length, 2 ** 53 - first + 1) };
  });

describe('numbers that only count', () => {
  it('are written as ECMAScript writes them, up to 2^53', async () => {
    await fc.assert(
      fc.asyncProperty(counts, async (counted) => {
        expect(await textOf([{ counted }])).toBe(count(counted.first, counted.count).join(','));
      }),
      { numRuns: 300 },
    );
    expect(await textOf([{ counted: { first: 2 ** 53 - 1, count: 2 } }])).toBe('9007199254740991,9007199254740992');
  });

  it('are whole lists: what comes before and after them is as it is without them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(counts, { maxLength: 4 }), async (lists) => {
        const parts = lists.flatMap((counted) => [text('['), { counted }, text('],')]);
        const expected = lists.map(({ first, count: length }) => `[${count(first, length).join(',')}],`);
        expect(await textOf(parts)).toBe(expected.join(''));
      }),
    );
  });

  it('come in pieces when they are many, beside other lists', async () => {
    const random = Float64Array.from({ length: 5_000 }, (_, index) => Math.sin(index));
    const numbers = { numbers: new Uint8Array(random.buffer), isFirst: true, hasNulls: false };
    const parts = [text('['), numbers, text('],['), { counted: { first: 1, count: 123_456 } }, text(']')];
    expect(await textOf(parts)).toBe(`[${random.join(',')}],[${count(1, 123_456).join(',')}]`);
  });
});

describe('whole numbers in a list', () => {
  it('are written as ECMAScript writes them', async () => {
    const whole = fc.oneof(
      fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
      fc.maxSafeInteger(),
      counts.map(({ first }) => first),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(whole, { maxLength: 300 }), async (list) => {
        const numbers = new Uint8Array(Float64Array.from(list).buffer);
        expect(await textOf([{ numbers, isFirst: true, hasNulls: false }])).toBe(list.join(','));
      }),
      { numRuns: 300 },
    );
  });
});
