import { gunzipMember } from '@tally/contracts';
import { gzipWhole } from '../domain/gzip.js';

export const LINE_FEED = 0x0a;

/** Text gathers in the row of its log up to this size: a chatty simulator must not make a row of every line. */
export const TAIL_BYTES_MAX = 8 * 1024;
/** Text of one chunk: a message of a stream at most. */
const CHUNK_TEXT_BYTES = 256 * 1024;
/** What is shorter does not become much smaller. */
const GZIP_BYTES_MIN = 4 * 1024;
/** Logs repeat themselves: the fastest level makes them small enough. */
const GZIP_LEVEL = 1;

/** Whether a text is long enough for chunks of its own. */
export function isChunk(text: Uint8Array): boolean {
  return text.byteLength > TAIL_BYTES_MAX;
}

/** Text as chunks, from its first byte on; content is the text or a gzip member of it. */
export function* packChunk(text: Uint8Array): Generator<{ at: number; textBytes: number; content: Uint8Array }> {
  for (let at = 0; at < text.byteLength; at += CHUNK_TEXT_BYTES) {
    const part = text.subarray(at, at + CHUNK_TEXT_BYTES);
    const content = part.byteLength < GZIP_BYTES_MIN ? part : gzipWhole(part, GZIP_LEVEL);
    yield { at, textBytes: part.byteLength, content };
  }
}

/** The text of a chunk from one byte up to, not including, another. No UTF-8 text begins as gzip does: 0x8b is no first byte of a character. */
export function chunkText(content: Buffer, textBytes: number, from: number, to: number): Uint8Array {
  const isGzip = content[0] === 0x1f && content[1] === 0x8b;
  return (isGzip ? gunzipMember(content, textBytes) : content).subarray(from, to);
}
