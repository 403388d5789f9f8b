import { describe, expect, it } from '@jest/globals';
import { characterStart, toText, wholeCharacters } from './log-text.js';

describe('wholeCharacters', () => {
  const text = Buffer.from('aé€😀');

  it('never cuts a character in two, and cuts nothing off but its beginning', () => {
    const lengths = Array.from({ length: text.length + 1 }, (_, end) => wholeCharacters(text.subarray(0, end)));
    expect(lengths).toEqual([0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10]);
  });

  it('keeps bytes that are no character at all', () => {
    for (const bytes of [[0x80, 0x80, 0x80, 0x80, 0x80], [0xff], [0x61, 0xc3, 0x28]]) {
      const cut = wholeCharacters(Buffer.from(bytes));
      expect(cut).toBeGreaterThanOrEqual(bytes.length - 3);
    }
    expect(wholeCharacters(Buffer.alloc(8, 0x80))).toBe(8);
  });
});

it('characterStart passes over what is left of a character, and no more', () => {
  const text = Buffer.from('a😀b');
  expect([0, 1, 2, 3, 4, 5].map((from) => characterStart(text.subarray(from)))).toEqual([0, 0, 3, 2, 1, 0]);
  expect(characterStart(Buffer.alloc(8, 0x80))).toBe(3);
  expect(characterStart(Buffer.alloc(0))).toBe(0);
});

describe('toText', () => {
  it.each([['é€😀\n'], ['a\0b'], ['']])('gives %j back as it is', (text) => {
    expect(toText(Buffer.from(text))).toBe(text);
  });

  it('keeps the length of what is not UTF-8', () => {
    const bytes = Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x80, 0x0a]);
    expect(toText(bytes)).toBe('a??(?\n');
    expect(Buffer.byteLength(toText(bytes))).toBe(bytes.length);
  });
});
