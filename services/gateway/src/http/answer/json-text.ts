import { StringDecoder } from 'node:string_decoder';
import type { Section } from './sections.js';

/** UTF-8 chunks → pieces of the inside of a JSON string; characters may be cut between chunks. */
export async function* jsonStringPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunks) yield escapePiece(decoder.write(Buffer.from(chunk)));
  yield escapePiece(decoder.end());
}

function escapePiece(text: string): string {
  return JSON.stringify(text).slice(1, -1);
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
