import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codeLengths, packedCodes } from './huffman.js';

const kraft = (lengths: Uint8Array) => lengths.reduce((sum, length) => sum + (length === 0 ? 0 : 2 ** -length), 0);

describe('code lengths', () => {
  it('are a complete code of what occurs, shorter for what occurs more often, within the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(5), fc.nat(1e6)), { minLength: 2, maxLength: 286 }), (counts) => {
        const lengths = codeLengths(counts, 15);
        const present = counts.flatMap((count, symbol) => (count > 0 ? [symbol] : []));
        expect(lengths.every((length, symbol) => length > 0 === (counts[symbol] ?? 0) > 0)).toBe(true);
        expect(Math.max(...lengths)).toBeLessThanOrEqual(15);
        if (present.length > 1) expect(kraft(lengths)).toBe(1);
      }),
    );
  });

  it('keep to the limit where counts grow like Fibonacci numbers', () => {
    const counts = [1, 1];
    while (counts.length < 30) counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0));
    expect(Math.max(...codeLengths(counts, 15))).toBeLessThanOrEqual(15);
  });
});

describe('codes', () => {
  it('are those of the example of RFC 1951, 3.2.2, their bits reversed', () => {
    const codes = packedCodes(Uint8Array.of(3, 3, 3, 3, 3, 2, 4, 4));
    const bits = Array.from(codes, (packed) => {
      const length = packed >>> 24;
      return (packed & 0xff_ffff).toString(2).padStart(length, '0').split('').toReversed().join('');
    });
    expect(bits).toEqual(['010', '011', '100', '101', '110', '00', '1110', '1111']);
  });
});
