import { describe, expect, it } from '@jest/globals';
import { parseSeed, seedFromBytes } from './seed.js';

describe('parseSeed', () => {
  it.each([
    ['0', '0'],
    ['18446744073709551615', '18446744073709551615'],
    ['0042', '42'],
    [0, '0'],
    [9007199254740991, '9007199254740991'],
  ])('reads %j as %s', (input, seed) => {
    expect(parseSeed(input)).toBe(seed);
  });

  it.each([
    ['18446744073709551616'],
    ['-1'],
    [''],
    [' 1'],
    ['1e3'],
    ['0x1'],
    [-1],
    [1.5],
    [2 ** 53],
    [null],
    [{}],
    [undefined],
  ])('refuses %j', (input) => {
    expect(parseSeed(input)).toBeUndefined();
  });
});

describe('seedFromBytes', () => {
  it('uses all 64 bits', () => {
    expect(seedFromBytes(new Uint8Array(8).fill(0xff))).toBe('18446744073709551615');
    expect(seedFromBytes(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0))).toBe('72057594037927936');
  });

  it('refuses any other number of bytes', () => {
    expect(() => seedFromBytes(new Uint8Array(7))).toThrow(RangeError);
  });
});
