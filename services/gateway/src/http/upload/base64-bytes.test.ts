import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { base64Bytes } from './base64-bytes.js';

const digitsOf = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString('base64'));

describe('base64 text', () => {
  it('gives any part of its bytes, as if it had been decoded whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.nat(50), fc.nat(50), (bytes, a, b) => {
        const [from, to] = [Math.min(a, b, bytes.length), Math.min(Math.max(a, b), bytes.length)];
        const read = base64Bytes(digitsOf(bytes), 'f');
        expect(read.sizeBytes).toBe(bytes.length);
        expect(read.slice(from, to).equals(bytes.subarray(from, to))).toBe(true);
      }),
    );
  });

  it('is refused where a part is something else, whatever one character is replaced by', () => {
    const text = digitsOf(Uint8Array.from({ length: 30 }, (_, i) => 7 * i)).toString();
    for (let at = 0; at < text.length - 1; at++) {
      for (const wrong of [' ', '?', '=', '\0', 'é']) {
        const damaged = text.slice(0, at) + wrong + text.slice(at + 1);
        expect(() => base64Bytes(Buffer.from(damaged), 'f').slice(0, 30)).toThrow('f is not base64');
      }
    }
  });
});
