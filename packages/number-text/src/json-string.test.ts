import { describe, expect, it } from '@jest/globals';
import { jsonStringPieces } from './json-string.js';

const escaped = (text: Uint8Array) => Buffer.concat([...jsonStringPieces(text)]);
const byStringify = (text: Uint8Array) =>
  Buffer.from(JSON.stringify(Buffer.from(text).toString('latin1')), 'latin1').subarray(1, -1);

describe('a text as the inside of a JSON string', () => {
  it('is that of JSON.stringify for every byte at every place of eight', () => {
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 16; place++) {
        const text = Buffer.alloc(16, 'x');
        text[place] = byte;
        expect(escaped(text)).toEqual(byStringify(text));
        expect(escaped(text.subarray(0, place + 1))).toEqual(byStringify(text.subarray(0, place + 1)));
      }
    }
  });

  it('is the same in pieces, also where every byte becomes six', () => {
    for (const text of [Buffer.alloc(300_001, 1), Buffer.alloc(150_000, 'é\n"'), Buffer.alloc(0)]) {
      expect(escaped(text).equals(byStringify(text))).toBe(true);
    }
  });

  it('reads back the same', () => {
    const text = 'a"\\\u0000\u001f\u007f\u2028é🎯\r\n\b\f\t'.repeat(5_000);
    expect(JSON.parse(`"${escaped(Buffer.from(text)).toString()}"`)).toBe(text);
  });
});
