import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatCard } from './card.js';

describe('formatCard', () => {
  it('has the codeword in ten columns, six fields of ten, right-aligned, and SDUM from column 71', () => {
    expect(formatCard('BEAM', [-0.15, 0, undefined, 1.5, 'PROTON', 1e-5], 'SDUM')).toBe(
      'BEAM           -0.15       0.0                 1.5    PROTON     1e-05SDUM',
    );
  });

  it('ends with its last character', () => expect(formatCard('STOP')).toBe('STOP'));

  it('refuses more fields than a card has', () => {
    expect(() => formatCard('BEAM', [1, 2, 3, 4, 5, 6, 7])).toThrow(RangeError);
  });

  it('writes every number in ten characters, to five digits at least, and short ones exactly', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (value) => {
        const field = formatCard('X', [value]).slice(10, 20);
        expect(field.length).toBe(10);
        const tiny = 1e-7;
        expect(Math.abs(Number(field) - value)).toBeLessThanOrEqual(Math.max(1e-3 * Math.abs(value), tiny));
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -999_999, max: 999_999 }), (value) => {
        expect(Number(formatCard('X', [value / 1000]).slice(10, 20))).toBe(value / 1000);
      }),
    );
  });
});
