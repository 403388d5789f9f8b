import { describe, expect, it } from '@jest/globals';
import { chunksOf } from './chunks.js';

describe('chunksOf', () => {
  it.each([
    ['', []],
    ['abc', ['abc']],
    ['abcd', ['abc', 'd']],
    ['abcdef', ['abc', 'def']],
  ])('cuts %j into pieces of at most three bytes, without a copy', (text, pieces) => {
    const bytes = Buffer.from(text);
    const cut = [...chunksOf(bytes, 3)];
    expect(cut.map(String)).toEqual(pieces);
    expect(cut.every(({ buffer }) => buffer === bytes.buffer)).toBe(true);
  });
});
