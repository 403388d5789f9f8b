import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { gzipWhole } from './gzip.js';

/** Lines of a deck, which hardly repeat themselves. */
const deck = (bytes: number) => Buffer.from(LINES).subarray(0, bytes);
const LINES = Array.from({ length: 20_000 }, (_, i) => `${Math.sin(i + 1)}\n`).join('');

describe('a gzip member of bytes in memory', () => {
  it.each([0, 1, 3_000, 8_192, 8_193, 200_000])('of %i bytes is what any reader reads', (bytes) => {
    for (const level of [1, 6]) expect(gunzipSync(gzipWhole(deck(bytes), level)).equals(deck(bytes))).toBe(true);
  });

  it('is as short with the memory of a small document as with that of a large one', () => {
    const [small, large] = [8_192, 8_193].map((bytes) => gzipWhole(deck(bytes), 6).byteLength);
    expect(small).toBeLessThan(1.03 * (large ?? 0));
  });
});
