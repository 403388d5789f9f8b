import { describe, expect, it } from '@jest/globals';
import { decodeNumbers, encodeNumbers } from '@tally/merge';
import { NumberStream } from './number-stream.js';

describe('NumberStream', () => {
  it('gives the same numbers bit for bit wherever the bytes are cut', () => {
    const numbers = Float64Array.of(0.1, Number.NaN, -0, 5e-324, Number.POSITIVE_INFINITY, 1 / 3);
    const bytes = encodeNumbers(numbers);
    for (let pieceBytes = 1; pieceBytes <= bytes.length; pieceBytes += 1) {
      const stream = new NumberStream();
      const read: number[] = [];
      for (let from = 0; from < bytes.length; from += pieceBytes) {
        read.push(...decodeNumbers(stream.push(bytes.subarray(from, from + pieceBytes))));
      }
      expect(encodeNumbers(Float64Array.from(read))).toEqual(bytes);
    }
  });
});
