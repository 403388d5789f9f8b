import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readNumbers } from './read-numbers.js';

function read(text: string) {
  const { pieces, endBytes } = readNumbers(Buffer.from(text));
  return { numbers: Float64Array.from(pieces.flatMap((piece) => [...piece])), endBytes };
}

/** All of a list, as JSON.parse reads it; `hardMax`: of so many texts it may say that they take the longer way. */
function expectAsParsed(texts: readonly string[], hardMax = 0): void {
  let hardCount = 0;
  for (let rest = texts; rest.length > 0; ) {
    const { numbers, endBytes } = read(rest.join(','));
    const parsed = JSON.parse(`[${rest.slice(0, numbers.length).join(',')}]`) as number[];
    expect(numbers).toEqual(Float64Array.from(parsed)); // toEqual tells -0 from 0
    if (numbers.length === rest.length) expect(endBytes).toBe(rest.join(',').length);
    else hardCount += 1;
    rest = rest.slice(numbers.length + 1);
  }
  expect(hardCount).toBeLessThanOrEqual(hardMax);
}

/** The exact decimal of what lies half between a positive float64 of at least 1 and the next one. */
function halfAbove(value: number): string {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
  const exponent = (bits >> 52n) - 1075n;
  const twice = 2n * ((bits & 0xf_ffff_ffff_ffffn) | 0x10_0000_0000_0000n) + 1n; // of half a unit in the last place
  if (exponent >= 1n) return String(twice << (exponent - 1n));
  const places = 1n - exponent;
  const digits = String(twice * 5n ** places).padStart(Number(places) + 1, '0');
  return `${digits.slice(0, -Number(places))}.${digits.slice(-Number(places))}`;
}

describe('readNumbers', () => {
  const ordinary = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e270, max: 1e270 });
  const ofSize = fc.record({
    fraction: fc.double({ min: 1, max: 10, noNaN: true }),
    power: fc.integer({ min: -270, max: 270 }),
  });

  it('reads numbers as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.array(ofSize, { minLength: 1, maxLength: 300 }), fc.boolean(), (sizes, isNegative) => {
        expectAsParsed(sizes.map(({ fraction, power }) => `${isNegative ? '-' : ''}${fraction * 10 ** power}`));
      }),
      { numRuns: 300 },
    );
  });

  it('reads more numbers than have room at once, each once', () => {
    expectAsParsed(Array.from({ length: 30_000 }, (_, index) => String(index)));
  });

  it('reads numbers of any length', () => {
    const texts = fc.array(fc.tuple(ordinary, fc.integer({ min: 0, max: 40 })), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(texts, (list) => {
        // of more than 19 digits some are so near to a half that the first 19 do not tell; zeros are none of them
        expectAsParsed(
          list
            .filter(([value]) => value === 0 || Math.abs(value) > 1e-260)
            .map(([value, places]) => value.toExponential(places)),
          3,
        );
        expectAsParsed(
          list.map(([value, places]) => (value % 1e6).toFixed(Math.min(places, 12))),
          0,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('reads whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 300 }), (list) =>
        expectAsParsed(list.map(String)),
      ),
    );
    expectAsParsed(['0', '-0', '0.0', '0e5', '-0.000e-300', '9007199254740992', '1e22', '123456789012345680000']);
  });

  it('does not guess where a decimal lies half between two numbers, and is right beside it', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 2 ** 60, noNaN: true }), (value) => {
        const half = halfAbove(value);
        expectAsParsed([half], 1);
        expectAsParsed([`${half}${half.includes('.') ? '' : '.'}0001`], 1);
      }),
      { numRuns: 1000 },
    );
    for (const value of [1, 1.5, 4503599627370497, 2 ** 53 - 1]) expect(read(halfAbove(value)).numbers).toHaveLength(0);
    expect(read('1e23').numbers).toHaveLength(0); // 5^23 is odd and has 54 bits
    expectAsParsed(['9007199254740993.0000000001', '9007199254740992.9999'], 2);
  });

  it('leaves the ends of the range to others', () => {
    for (const text of ['5e-324', '1e-400', '1e309', '1.8e308', '1e99999999999', '2.2e-308']) {
      expect(read(text)).toEqual({ numbers: new Float64Array(0), endBytes: 0 });
    }
    expectAsParsed(['1.7976931348623157e308', '1e-291', '1.5e+291']);
  });

  it.each([
    '',
    '01',
    '-',
    '.5',
    '1.',
    '+1',
    '1e',
    '1e+',
    '0x10',
    'null',
    'NaN',
    '"1"',
    '[1]',
    '1 2',
    '--1',
    '1.2.3',
    '-01',
    '1,',
    'é',
  ])('does not take %j for a number', (text) => {
    expect(read(text)).toEqual({ numbers: new Float64Array(0), endBytes: 0 });
    expect(read(` 7,${text}`)).toEqual(text === '' ? read('') : { numbers: Float64Array.of(7), endBytes: 3 });
  });

  it('passes over blanks', () => {
    expect(read(' 1 ,\t-2.5e-3\r\n,\n3 ').numbers).toEqual(Float64Array.of(1, -0.0025, 3));
  });

  it('reads long lists in pieces', () => {
    const list = Array.from({ length: 100_000 }, (_, i) => (i % 3 === 0 ? i : i / 7));
    const text = list.join(', ');
    expect(read(text)).toEqual({ numbers: Float64Array.from(list), endBytes: text.length });
    const broken = `${list.join(',')},x,1`;
    expect(read(broken)).toEqual({ numbers: Float64Array.from(list), endBytes: broken.length - 3 });
  });
});
