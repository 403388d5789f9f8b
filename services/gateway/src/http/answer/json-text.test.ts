import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { jsonStringOf } from './json-text.js';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size);
}

describe('a text as the inside of a JSON string', () => {
  const everyByte = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));
  it.each([1, 7, 100_000])('reads back the same, cut after every %i bytes', async (size) => {
    const text = `${everyByte}\u2028é🎯\r\n`.repeat(size === 1 ? 10 : 3_000);
    const inside = await buffer(jsonStringOf(inPieces(Buffer.from(text), size)));
    expect(JSON.parse(`"${inside.toString()}"`)).toBe(text);
  });
});
