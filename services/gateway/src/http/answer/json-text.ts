import type { Section } from './sections.js';

/**
 * UTF-8 chunks → pieces of the inside of a JSON string, UTF-8; characters may be cut between chunks. Bytes are taken for
 * characters: what JSON escapes is ASCII, and all other bytes stay as they are.
 */
export async function* jsonStringPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    yield Buffer.from(JSON.stringify(text), 'latin1').subarray(1, -1);
  }
}

/** The members of an object as the beginning of a JSON object that goes on: `{"message":"…",`. */
export function openObject(members: object): string {
  return `${JSON.stringify(members).slice(0, -1)},`;
}

/** A JSON object of texts by name, streamed. */
export async function* textMembers<H>(texts: AsyncIterable<Section<H>>, nameOf: (start: H) => string) {
  let separator = '{';
  for await (const { start, chunks } of texts) {
    yield `${separator}${JSON.stringify(nameOf(start))}:"`;
    yield* jsonStringPieces(chunks);
    yield '"';
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}
