import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readWholeNumber } from './whole-number.js';

describe('a whole number of a deck', () => {
  it.each([
    ['1000', 1000],
    ['+1000', 1000],
    ['007', 7],
    ['-5', -5],
    ['9007199254740991', 9007199254740991],
  ])('%j is %d in both forms', (word, value) => {
    expect(readWholeNumber(word, 'integer')).toBe(value);
    expect(readWholeNumber(word, 'real')).toBe(value);
  });

  it.each([
    ['1e6', 1_000_000],
    ['1E6', 1_000_000],
    ['1.0E+06', 1_000_000],
    ['1D3', 1000],
    ['1000.', 1000],
    ['.5e1', 5],
    ['1500e-2', 15],
  ])('%j is %d where reals are read, and none where they are not', (word, value) => {
    expect(readWholeNumber(word, 'real')).toBe(value);
    expect(readWholeNumber(word, 'integer')).toBeUndefined();
  });

  it.each([
    '',
    '1_000',
    '1000k',
    '1000;0',
    '1,000',
    '1 000',
    '0x10',
    '1.5',
    '1e',
    '1e400',
    '1e-1',
    '{n}',
    '1000!',
    'NaN',
  ])('%j is none', (word) => {
    expect(readWholeNumber(word, 'integer')).toBeUndefined();
    expect(readWholeNumber(word, 'real')).toBeUndefined();
  });

  it('is the whole word or none, whatever stands behind it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string({ minLength: 1 }), (number, tail) => {
        const word = `${number}${tail}`;
        const value = readWholeNumber(word, 'real');
        if (value !== undefined) expect(value).toBe(Number(word.replace(/[dD]/, 'e')));
      }),
    );
  });
});
