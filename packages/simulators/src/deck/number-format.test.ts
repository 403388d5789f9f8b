import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fitNumber, formatE, formatFit, formatG, formatShort, formatSigned } from './number-format.js';

const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('formatShort', () => {
  it.each([
    [0, '0.0'],
    [-0, '0.0'],
    [5, '5.0'],
    [-5, '-5.0'],
    [0.1, '0.1'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-1.5e-7, '-1.5e-07'],
    [123456789012345, '123456789012345.0'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [1e21, '1e+21'],
    [1e-300, '1e-300'],
    [1e6, '1000000.0'],
  ])('writes %d as %s', (value, text) => expect(formatShort(value)).toBe(text));

  it('reads back as the same number', () => {
    fc.assert(fc.property(anyNumber, (value) => Number(formatShort(value)) === value + 0));
  });
});

describe('fitNumber', () => {
  it.each([
    [0, 10, '0.0'],
    [1 / 3, 10, '0.33333333'],
    [-1 / 3, 10, '-0.3333333'],
    [123 + 1 / 3, 10, '123.333333'],
    [0.001953125, 10, '0.00195312'],
    [0.005859375, 10, '0.00585938'],
    [10, 10, '10.0'],
    [9.99999999999, 10, '10.0'],
    [-0.000000001, 10, '0.0'],
    [1e-5, 10, '1e-05'],
    [1.2345678e-5, 10, '1.235e-05'],
    [123456.789, 10, '123456.789'],
    [-123456.789, 10, '-123456.79'],
  ])('fits %d into %d characters as %s', (value, width, text) => expect(formatFit(value, width)).toBe(text));

  it('refuses a number whose whole part is too long', () => {
    expect(() => fitNumber(1_000_000, 2)).toThrow('1000000 does not fit into 2 characters');
    expect(() => fitNumber(-100_000_000, 10)).toThrow('does not fit');
  });

  it('never exceeds its width and stays within half a unit of its last place', () => {
    const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(coordinate, (value) => {
        expect(formatFit(value, 10).length).toBeLessThanOrEqual(10);
        const whole = Math.max(Math.ceil(Math.log10(Math.abs(value) || 1)), 1);
        // one place lost to exponents of small numbers and to exact powers of ten
        expect(Math.abs(fitNumber(value, 10) - value)).toBeLessThanOrEqual(0.5 * 10 ** -(10 - 3 - whole));
      }),
    );
  });
});

describe('formatG', () => {
  it.each([
    [0, '0'],
    [0.5, '0.5'],
    [100, '100'],
    [1e-5, '1e-05'],
    [1e6, '1e+06'],
    [123456.7, '123457'],
    [999999.9, '1e+06'],
    [-0.000123456789, '-0.000123457'],
  ])('writes %d as %s', (value, text) => expect(formatG(value)).toBe(text));

  it('keeps as many digits as asked for', () => expect(formatG(1 / 3, 12)).toBe('0.333333333333'));
});

describe('formatE and formatSigned', () => {
  it.each([
    [123.456, '1.235E+02'],
    [-1e-10, '-1.000E-10'],
    [0, '0.000E+00'],
  ])('write %d as %s', (value, text) => expect(formatE(value)).toBe(text));

  it.each([
    [20, '+20.0'],
    [0, '+0.0'],
    [-0.5, '-0.5'],
    [1e-5, '+1.e-05'],
    [1.5e-5, '+1.5e-05'],
  ])('write %d with its sign and point as %s', (value, text) => expect(formatSigned(value, 16)).toBe(text));
});
