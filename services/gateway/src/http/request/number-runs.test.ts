import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberTaker, type TakingLimits } from './number-runs.js';

const LIMITS: TakingLimits = { textBytesMax: 1_000_000, numbersMax: 1_000_000, hold: () => {} };

/** Pushes a text in pieces of these sizes, again and again. */
async function take(text: string, sizes: readonly number[] = [100_000], limits: TakingLimits = LIMITS) {
  const taker = new NumberTaker(limits);
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    taker.push(bytes.subarray(at, at + size));
    at += size;
  }
  return taker.end();
}

/** The value that a text means, with its numbers put back. */
async function read(text: string, sizes?: readonly number[]): Promise<unknown> {
  const { text: rest, numbers } = await take(text, sizes);
  return numbers.putBack(JSON.parse(rest.toString()), (run) => Array.from(run, (n) => (Number.isNaN(n) ? null : n)));
}

const long = Array.from({ length: 700 }, (_, index) => index / 7 - 3e-9);

describe('long lists of numbers', () => {
  it('leave a short text, and come back as float64', async () => {
    const { text, numbers } = await take(JSON.stringify({ a: long, b: [1, 2], c: [long] }));
    expect(text.toString()).toBe('{"a":["\\u0000numbers 0"],"b":[1,2],"c":[["\\u0000numbers 1"]]}');
    expect(numbers.putBack(JSON.parse(text.toString()))).toEqual({
      a: Float64Array.from(long),
      b: [1, 2],
      c: [Float64Array.from(long)],
    });
  });

  it('are the same however the text is cut, whatever stands around them', async () => {
    const doubles = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 0, maxLength: 300 });
    const lists = fc.oneof(doubles, fc.array(fc.constantFrom(null, 0, -1.5, 1e300), { maxLength: 600 }));
    const document = fc.dictionary(fc.string(), fc.oneof(lists, fc.jsonValue(), fc.array(lists, { maxLength: 3 })), {
      maxKeys: 4,
    });
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(document, sizes, fc.constantFrom(undefined, 1), async (value, cuts, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(await read(text, cuts)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['\\', '\\\\', '\\"', '"', '[1', ']', '\\\\"'])('are not looked for in a string with %j', async (sign) => {
    const value = { [`${sign}[1,2`]: `${sign}${'[1,2,3,4],'.repeat(300)}${sign}`, a: long };
    const text = JSON.stringify(value);
    for (const size of [1, 2, 3, 1000]) expect(await read(text, [size])).toEqual(value);
  });

  it('may have numbers as Python writes them', async () => {
    const text = `{"a":[NaN,${'1,-Infinity, 2.5,null,'.repeat(200)}Infinity]}`;
    const numbers = ((await read(text, [500])) as { a: unknown[] }).a;
    expect(numbers).toHaveLength(802);
    expect(numbers.slice(0, 5)).toEqual([null, 1, null, 2.5, null]);
  });

  it.each([
    ['a string', '"x"', 'x'],
    ['a list', '[1]', [1]],
    ['an object', '{"a":1}', { a: 1 }],
    ['a word', 'true', true],
  ])('with %s in it keep their order, and it its place', async (_what, raw, value) => {
    for (const at of [1, 100, 699]) {
      const text = `[${[...long.slice(0, at), raw, ...long.slice(at)].join(',')}]`;
      for (const size of [300, 5000, 100_000]) {
        expect(await read(text, [size])).toEqual([...long.slice(0, at), value, ...long.slice(at)]);
      }
    }
  });

  it.each(['[1,,', '[1,2', `[${'1,'.repeat(900)}]`, `[${'1 2,'.repeat(900)}3]`, `[${'9'.repeat(5000)}x]`])(
    'that are not JSON leave text that is not: %.12s',
    async (text) => {
      for (const size of [7, 100_000]) await expect(read(text, [size])).rejects.toThrow(SyntaxError);
    },
  );

  it('have a hash of all numbers and their lists', async () => {
    const hashOf = async (...lists: number[][]) => (await take(JSON.stringify(lists), [999])).numbers.hash;
    const hash = await hashOf(long, long);
    expect(await hashOf(long, long)).toBe(hash);
    const [first = 0, ...rest] = long;
    for (const other of [[long], [long, [...long, 1]], [[...long, first], rest], [long, long.toReversed()]]) {
      expect(await hashOf(...other)).not.toBe(hash);
    }
  });

  it('are refused when there are too many numbers, too much text, or no room', async () => {
    const text = JSON.stringify({ a: long, b: 'x'.repeat(500) });
    const refusal = (limits: Partial<TakingLimits>) => expect(take(text, [1000], { ...LIMITS, ...limits })).rejects;
    await refusal({ numbersMax: 600 }).toThrow('at most 600 numbers');
    await refusal({ textBytesMax: 500 }).toThrow('at most 500 bytes beside lists of numbers');
    const hold = () => {
      throw new Error('no room');
    };
    await refusal({ hold }).toThrow('no room');
    let held = 0;
    await take(text, [1000], { ...LIMITS, hold: (bytes) => void (held += bytes) });
    expect(held).toBeGreaterThan(long.length * 8 + 500);
    expect(held).toBeLessThan(long.length * 8 + 600);
  });

  it('that only name a list that is not there are strings', async () => {
    expect(await read('["\\u0000numbers 0"]')).toEqual(['\0numbers 0']);
  });
});
