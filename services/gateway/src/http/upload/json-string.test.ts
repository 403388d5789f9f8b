import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { jsonStringText } from './json-string.js';

const PIECE_BYTES = 1024 * 1024;
const read = (json: Buffer) => [...jsonStringText(json)];
const parsed = (json: Buffer) => Buffer.from(JSON.parse(json.toString()) as string);

describe('what a JSON string says', () => {
  const parts = [
    'é',
    '🎯',
    '\\n',
    '\\u00e9',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00',
    '\\\\',
    '\\"',
    '\\\\\\n',
    '\\\\\\\\',
  ];
  it.each(parts)('is the same wherever a piece ends in %s, and pieces are whole characters', (part) => {
    const row = part.repeat(20);
    for (let shift = 0; shift < 16; shift++) {
      const json = Buffer.from(`"${'x'.repeat(PIECE_BYTES - 40 + shift)}${row}${'y'.repeat(PIECE_BYTES)}${row}"`);
      const pieces = read(json);
      expect(pieces.length).toBeGreaterThan(1);
      expect(Buffer.concat(pieces).equals(parsed(json))).toBe(true);
      expect(pieces.every((piece) => piece.length <= PIECE_BYTES + 4 && isUtf8(piece))).toBe(true);
    }
  });

  it('of nothing but backslashes is half as many', () => {
    const json = Buffer.from(`"${'\\'.repeat(3 * PIECE_BYTES + 2)}"`);
    expect(Buffer.concat(read(json)).equals(parsed(json))).toBe(true);
  });

  it.each([
    ['an escape that is none', '"\\x41"'],
    ['too few digits', '"\\u00e"'],
    ['a line feed', '"a\nb"'],
    ['an escaped quote at the end', '"a\\"'],
    ['bytes that are no UTF-8', Buffer.from('"\xff"', 'latin1')],
    ['half a character', Buffer.from('"\xc3"', 'latin1')],
    ['continuations only', Buffer.concat([Buffer.from('"'), Buffer.alloc(2 * PIECE_BYTES, 0x80), Buffer.from('"')])],
  ])('is refused: %s', (_what, json) => {
    expect(() => read(Buffer.from(json))).toThrow();
  });
});
