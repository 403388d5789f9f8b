import type { Section } from './sections.js';

/** Text that is escaped at once, bytes: it becomes six times as long at most. */
const PIECE_BYTES = 64 * 1024;

/** UTF-8 chunks → pieces of the inside of a JSON string, UTF-8; characters may be cut between chunks. */
export async function* jsonStringOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.byteLength; from += PIECE_BYTES) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset + from, Math.min(PIECE_BYTES, chunk.byteLength - from));
      // what is escaped is ASCII: as Latin-1 the bytes of all other characters stay as they are
      yield Buffer.from(JSON.stringify(bytes.toString('latin1')).slice(1, -1), 'latin1');
    }
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
    yield* jsonStringOf(chunks);
    yield '"';
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}
