import { jsonStringPieces } from '@tally/number-text';
import type { Section } from './sections.js';

/** UTF-8 chunks → pieces of the inside of a JSON string, UTF-8; characters may be cut between chunks. */
export async function* jsonStringOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield* jsonStringPieces(chunk);
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
