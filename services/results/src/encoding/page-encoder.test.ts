import { randomFillSync } from 'node:crypto';
import { constants, deflateRawSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { joinedGzip } from '@tally/contracts';
import { encodeNumbers } from '@tally/merge';
import type { TextPart } from '@tally/number-text';
import fc from 'fast-check';
import { pageEncoder } from './page-encoder.js';

async function* stream<T>(parts: readonly T[]): AsyncGenerator<T> {
  yield* parts;
}
async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) {
    expect(piece.byteLength).toBeLessThanOrEqual(256 * 1024);
    all.push(piece);
  }
  return Buffer.concat(all);
}
async function* bytesOf(parts: AsyncIterable<TextPart>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (!('text' in part)) throw new Error('not bytes');
    yield part.text;
  }
}
const textOf = (parts: readonly TextPart[]) => collect(bytesOf(pageEncoder.text(stream(parts))));
const gzipOf = (parts: readonly TextPart[]) => bytesOf(pageEncoder.gzip(stream(parts)));
const listOf = (numbers: Float64Array, hasNulls = false) => ({
  numbers: encodeNumbers(numbers),
  isFirst: true,
  hasNulls,
});
const written = (numbers: Float64Array, other: string) =>
  Array.from(numbers, (number) => (Object.is(number, -0) ? '-0' : Number.isFinite(number) ? String(number) : other));

/** Random patterns of 64 bits: numbers of every size, some of them not finite. */
function anyNumbers(count: number): Float64Array {
  const numbers = new Float64Array(count);
  randomFillSync(new Uint8Array(numbers.buffer));
  return numbers;
}

describe('numbers as text', () => {
  it('are the shortest decimals that ECMAScript has for them too', async () => {
    const powers = Array.from({ length: 632 }, (_, index) => Number(`1e${index - 324}`));
    const edges = [
      0,
      -0,
      5e-324,
      2 ** -1022,
      Number.MAX_VALUE,
      2 ** 53,
      2 ** 53 + 2,
      1e21,
      1e-7,
      123456789012345680000,
      9.5e-7,
    ];
    const halves = Array.from({ length: 2000 }, (_, index) => index / 2 - 500);
    const twos = Array.from({ length: 2098 }, (_, index) => 2 ** (index - 1074));
    const neighbours = [...powers, ...twos].flatMap((number) => [number * (1 + 2 ** -52), number * (1 - 2 ** -53)]);
    const rounded = Float64Array.from({ length: 20_000 }, (_, index) => Math.round(index * 7919.77) / 1000);
    const all = Float64Array.from([
      ...edges,
      ...powers,
      ...twos,
      ...halves,
      ...neighbours,
      ...rounded,
      ...anyNumbers(200_000),
    ]);
    const text = (await textOf([listOf(all)])).toString().split(',');
    const expected = written(all, '0');
    expect(text).toHaveLength(expected.length);
    for (const [index, number] of expected.entries()) if (text[index] !== number) expect(text[index]).toBe(number);
  });

  it('that are not finite are 0 or null', async () => {
    const numbers = Float64Array.of(1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2);
    const parts = [listOf(numbers), { text: Buffer.from(';') }, listOf(numbers, true)];
    expect((await textOf(parts)).toString()).toBe('1,0,0,0,2;1,null,null,null,2');
  });
});

/** Numbers as pages have them: noise, runs of zeros, runs of one number, and what has never been seen. */
const someNumbers = fc
  .array(
    fc.oneof(
      fc.double(),
      fc.tuple(fc.oneof(fc.constant(0), fc.constant(Number.NaN), fc.double()), fc.integer({ min: 2, max: 400 })),
    ),
    { maxLength: 60 },
  )
  .map((items) => items.flatMap((item) => (typeof item === 'number' ? [item] : Array<number>(item[1]).fill(item[0]))));
const someParts = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }).map((text): TextPart => ({ text: Buffer.from(text) })),
    fc.tuple(someNumbers, fc.boolean(), fc.boolean()).map(([numbers, isFirst, hasNulls]): TextPart => {
      return { numbers: encodeNumbers(Float64Array.from(numbers)), isFirst, hasNulls };
    }),
    fc.record({ first: fc.integer({ min: 1, max: 2 ** 50 }), count: fc.nat(20_000) }).map((counted) => ({ counted })),
  ),
  { maxLength: 8 },
);

describe('a gzip member of the text', () => {
  it('holds the text, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(someParts, async (parts) => {
        const text = await textOf(parts);
        expect(gunzipSync(await collect(gzipOf(parts))).equals(text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is joinable, piece by piece', async () => {
    const parts = [
      listOf(anyNumbers(50_000)),
      { text: Buffer.alloc(100_000, 'metadata ') },
      listOf(new Float64Array(30_000)),
    ];
    const joined = joinedGzip(stream([{ text: '[' }, { member: gzipOf(parts) }, { text: ']' }]));
    const text = (await textOf(parts)).toString();
    expect(gunzipSync(await collect(joined)).toString()).toBe(`[${text}]`);
  });

  it('of a count takes less than two bytes a number', async () => {
    const own = await collect(gzipOf([{ counted: { first: 1_000_000, count: 50_000 } }]));
    expect(own.byteLength).toBeLessThan(2 * 50_000);
  });

  it('is about as small as zlib makes it, of noise and of zeros', async () => {
    const noise = Float64Array.from({ length: 50_000 }, (_, index) => Math.sin(index) ** 2);
    const sparse = noise.map((value, index) => (index % 10 === 0 ? value : 0));
    for (const numbers of [noise, sparse, new Float64Array(50_000), new Float64Array(50_000).fill(Number.NaN)]) {
      const parts = [listOf(numbers, true)];
      const own = await collect(gzipOf(parts));
      const zlib = deflateRawSync(await textOf(parts), { level: constants.Z_BEST_SPEED });
      expect(own.byteLength).toBeLessThan(1.15 * zlib.byteLength + 2_000);
    }
  });
});

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
  it.each(['numbers', 'counted'] as const)(
    'is the same when whoever takes %s writes them, a list beginning behind text',
    async (form) => {
      await fc.assert(
        fc.asyncProperty(someLists, async (lists) => {
          const parts = lists.flatMap(({ lengths, hasNulls, nullCount, counted }): TextPart[] => [
            { text: Buffer.from('[') },
            ...lengths.map((length, index) => ({ ...listOf(anyNumbers(length), hasNulls), isFirst: index === 0 })),
            { text: Buffer.from('],[') },
            { nullCount },
            { text: Buffer.from('],[') },
            { counted },
            { text: Buffer.from(']') },
          ]);
          const sent: TextPart[] = [];
          for await (const part of pageEncoder[form](stream(parts))) {
            const isFirst = sent.length === 0 || 'text' in (sent.at(-1) ?? {});
            sent.push('numbers' in part ? { ...part, isFirst } : part);
          }
          expect((await textOf(sent)).equals(await textOf(parts))).toBe(true);
          const counts = lists.map(({ counted }) => counted.count).filter((count) => count >= 4_096);
          const isCounted = form === 'counted';
          expect(sent.filter((part) => 'counted' in part)).toHaveLength(isCounted ? counts.length : 0);
          // counts that are sent as numbers come in parts of 8192
          const made = counts.flatMap((count) => [
            ...Array<number>(Math.floor(count / 8_192)).fill(8_192),
            count % 8_192,
          ]);
          const lengths = [...lists.flatMap((list) => list.lengths), ...(isCounted ? [] : made)];
          const long = lengths.filter((length) => length >= 4_096);
          expect(sent.filter((part) => 'numbers' in part)).toHaveLength(long.length);
        }),
        { numRuns: 50 },
      );
    },
  );
});
