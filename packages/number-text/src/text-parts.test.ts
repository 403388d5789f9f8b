import { randomFillSync } from 'node:crypto';
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

/** A float64 by its bits, some of its neighbours away from it. */
function neighbour(value: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + BigInt(steps));
  return view.getFloat64(0);
}

const exponent = fc.integer({ min: -323, max: 308 });
/** Any float64, and those where the shortest decimal is hard to find: near few digits, between two decimals, near powers of two. */
const hardNumbers = fc.oneof(
  fc.double(),
  fc.tuple(fc.double({ min: 0.1, max: 1 }), exponent).map(([value, power]) => Number(`${value}e${power}`)),
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), exponent, fc.integer({ min: -3, max: 3 }))
    .map(([digits, power, steps]) => {
      const value = Number(`${digits}e${power}`);
      return value === 0 || !Number.isFinite(value) ? value : neighbour(value, steps);
    }),
  fc.tuple(fc.integer({ min: -1074, max: 1023 }), fc.integer({ min: 0, max: 3 })).map(([power, steps]) => {
    return neighbour(2 ** power, steps);
  }),
  fc.tuple(fc.maxSafeInteger(), fc.integer({ min: -60, max: 60 })).map(([digits, power]) => digits * 2 ** power),
  fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, 5e-324, 1e21, 1e23, 9.5e-7, 123456e-11, 2 ** 53 + 2),
);

const listOf = (numbers: Float64Array, hasNulls = false): TextPart => {
  return { numbers: new Uint8Array(numbers.buffer), isFirst: true, hasNulls };
};
const written = (value: number) => (Object.is(value, -0) ? '-0' : Number.isFinite(value) ? String(value) : 'null');

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
    const found = (await textOf([listOf(all)])).split(',');
    const expected = Array.from(all, (number) => (Number.isFinite(number) ? written(number) : '0'));
    expect(found).toHaveLength(expected.length);
    for (const [index, number] of expected.entries()) if (found[index] !== number) expect(found[index]).toBe(number);
  });

  it('that are not finite are 0 or null', async () => {
    const numbers = Float64Array.of(1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2);
    const parts = [listOf(numbers), text(';'), listOf(numbers, true)];
    expect(await textOf(parts)).toBe('1,0,0,0,2;1,null,null,null,2');
  });
});

describe('numbers of a list', () => {
  it('are written as ECMAScript writes them, zero with its sign', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hardNumbers, { maxLength: 300 }), async (list) => {
        const numbers = new Uint8Array(Float64Array.from(list).buffer);
        expect(await textOf([{ numbers, isFirst: true, hasNulls: true }])).toBe(list.map(written).join(','));
      }),
      { numRuns: 1_000 },
    );
  });

  it('may be the same ones again, before and behind a part of their list', async () => {
    const run = fc.tuple(hardNumbers, fc.integer({ min: 1, max: 200 })).map(([value, times]) => {
      return Array.from({ length: times }, () => value);
    });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 8 }), fc.nat(400), async (runs, cut) => {
        const list = runs.flat();
        const part = (values: number[], isFirst: boolean): TextPart => {
          return { numbers: new Uint8Array(Float64Array.from(values).buffer), isFirst, hasNulls: true };
        };
        const parts = [part(list.slice(0, cut), true), part(list.slice(cut), cut === 0 || list.length === 0)];
        expect(await textOf(parts)).toBe(list.map(written).join(','));
      }),
    );
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
