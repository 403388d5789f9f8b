import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonScanner } from './json-scanner.js';
import { type NumberLimits, TakenNumbers } from './number-runs.js';

const LIMITS: NumberLimits = { numbersMax: 1_000_000, hold: () => {} };

/** Scans the text of an object, pushed in pieces of these sizes again and again. */
function take(text: string, sizes: readonly number[] = [100_000], numbers: NumberLimits = LIMITS) {
  const kept: Buffer[] = [];
  const keep = (piece: Buffer) => void kept.push(Buffer.from(piece));
  const scanner = new JsonScanner({ keysMax: 1_000_000, valuesMax: 1_000_000, keep, numbers });
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    scanner.push(bytes.subarray(at, at + size));
    at += size;
  }
  const rest = Buffer.concat(kept);
  return { text: rest.toString(), members: scanner.members(rest), numbers: scanner.numbers ?? new TakenNumbers() };
}

/** The value of the text's member `v`, with its numbers put back. */
function read(text: string, sizes?: readonly number[]): unknown {
  const { members, numbers } = take(`{"v":${text}}`, sizes);
  const value: unknown = JSON.parse(String(members.get('v')));
  return numbers.putBack(value, (run) => Array.from(run, (n) => (Number.isNaN(n) ? null : n)));
}

const long = Array.from({ length: 700 }, (_, index) => index / 7 - 3e-9);

describe('long lists of numbers', () => {
  it('leave a short text, and come back as float64', () => {
    const { text, numbers } = take(JSON.stringify({ a: long, b: [1, 2], c: [long] }));
    expect(text).toBe('{"a":["\\u0000numbers 0"],"b":[1,2],"c":[["\\u0000numbers 1"]]}');
    expect(numbers.putBack(JSON.parse(text))).toEqual({
      a: Float64Array.from(long),
      b: [1, 2],
      c: [Float64Array.from(long)],
    });
  });

  it('are the same however the text is cut, whatever stands around them', () => {
    const doubles = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 0, maxLength: 300 });
    const lists = fc.oneof(doubles, fc.array(fc.constantFrom(null, 0, -1.5, 1e300), { maxLength: 600 }));
    const document = fc.dictionary(fc.string(), fc.oneof(lists, fc.jsonValue(), fc.array(lists, { maxLength: 3 })), {
      maxKeys: 4,
    });
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(document, sizes, fc.constantFrom(undefined, 1), (value, cuts, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(read(text, cuts)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['\\', '\\\\', '\\"', '"', '[1', ']', '\\\\"'])('are not looked for in a string with %j', (sign) => {
    const value = { [`${sign}[1,2`]: `${sign}${'[1,2,3,4],'.repeat(300)}${sign}`, a: long };
    const text = JSON.stringify(value);
    for (const size of [1, 2, 3, 1000]) expect(read(text, [size])).toEqual(value);
  });

  it('may have numbers as Python writes them', () => {
    const text = `{"a":[NaN,${'1,-Infinity, 2.5,null,'.repeat(200)}Infinity]}`;
    const numbers = (read(text, [500]) as { a: unknown[] }).a;
    expect(numbers).toHaveLength(802);
    expect(numbers.slice(0, 5)).toEqual([null, 1, null, 2.5, null]);
  });

  it.each([
    ['a string', '"x"', 'x'],
    ['a list', '[1]', [1]],
    ['an object', '{"a":1}', { a: 1 }],
    ['a word', 'true', true],
  ])('with %s in it keep their order, and it its place', (_what, raw, value) => {
    for (const at of [1, 100, 699]) {
      const text = `[${[...long.slice(0, at), raw, ...long.slice(at)].join(',')}]`;
      for (const size of [300, 5000, 100_000]) {
        expect(read(text, [size])).toEqual([...long.slice(0, at), value, ...long.slice(at)]);
      }
    }
  });

  it.each(['[1,,', '[1,2', `[${'1,'.repeat(900)}]`, `[${'1 2,'.repeat(900)}3]`, `[${'9'.repeat(5000)}x]`])(
    'that are not JSON leave text that is not: %.12s',
    (text) => {
      for (const size of [7, 100_000]) expect(() => read(text, [size])).toThrow(/JSON/);
    },
  );

  it('have a hash of all numbers and their lists', () => {
    const hashOf = (...lists: number[][]) => take(JSON.stringify({ lists }), [999]).numbers.hash;
    const hash = hashOf(long, long);
    expect(hashOf(long, long)).toBe(hash);
    const [first = 0, ...rest] = long;
    for (const other of [[long], [long, [...long, 1]], [[...long, first], rest], [long, long.toReversed()]]) {
      expect(hashOf(...other)).not.toBe(hash);
    }
  });

  it('are refused when there are too many numbers, or no room', () => {
    const text = JSON.stringify({ a: long, b: 'x'.repeat(500) });
    expect(() => take(text, [1000], { ...LIMITS, numbersMax: 600 })).toThrow('at most 600 numbers');
    const hold = () => {
      throw new Error('no room');
    };
    expect(() => take(text, [1000], { ...LIMITS, hold })).toThrow('no room');
    let held = 0;
    take(text, [1000], { ...LIMITS, hold: (bytes) => void (held += bytes) });
    expect(held).toBe(long.length * 8);
  });

  it('that only name a list that is not there are strings', () => {
    expect(read('["\\u0000numbers 0"]')).toEqual(['\0numbers 0']);
  });
});
