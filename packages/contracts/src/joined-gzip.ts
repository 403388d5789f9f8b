/**
 * How pages of results travel to clients: results makes one gzip member of each, and the gateway puts their deflate data one
 * after the other into one member (ADR 7).
 */
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw, createGunzip, deflateRaw } from 'node:zlib';
import { combineCrc32 } from './crc32-combine.js';

/** A piece of an answer: text, or the chunks of one page, a gzip member or text. */
export type JoinPart = { readonly text: string } | { readonly member: AsyncIterable<Uint8Array> };

/**
 * Header of a member whose deflate data can be followed by more (results_service.proto, GetResultsResponse). RFC 1952, 2.3:
 * deflate, an extra field with the empty subfield "TJ", no time, no name. The subfield says that a flush precedes the final,
 * empty block.
 */
export const JOINABLE_HEADER = Buffer.from('1f8b08040000000000ff0400544a0000', 'hex');
/** What every gzip member begins with, and no JSON text. */
const MAGIC = JOINABLE_HEADER.subarray(0, 2);
/** A final block with nothing in it (RFC 1951, 3.2.6: bit 1, bits 01, end of block). */
const FINAL_BLOCK = Buffer.from([0x03, 0x00]);
/** CRC-32 and length, little-endian. */
const TRAILER_BYTES = 8;
const END_BYTES = FINAL_BLOCK.length + TRAILER_BYTES;

/** What ends a joinable member whose text has this CRC-32 and this many bytes. */
export function joinableEnd(crc: number, length: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  FINAL_BLOCK.copy(end);
  end.writeUInt32LE(crc, FINAL_BLOCK.length);
  end.writeUInt32LE(length % 2 ** 32, FINAL_BLOCK.length + 4);
  return end;
}
/** No extra field, time or name; unknown system. */
const PLAIN_HEADER = Buffer.from('1f8b08000000000000ff', 'hex');
const LEVEL = constants.Z_BEST_SPEED;

/** The parts as plain text. */
export async function* plainText(parts: AsyncIterable<JoinPart>): AsyncGenerator<Uint8Array | string> {
  for await (const part of parts) {
    if ('text' in part) yield part.text;
    else yield* unpacked(part.member);
  }
}

/** The text of a page; of a gzip member, too. */
async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await readAtLeast(source, Buffer.alloc(0), MAGIC.length);
  const all = resume(first, source);
  if (!first.subarray(0, MAGIC.length).equals(MAGIC)) yield* all;
  else yield* through(createGunzip(), all);
}

/**
 * The parts as one gzip member (RFC 1952), because clients as common as curl and wget do not read an answer of several
 * (curl 7.88 stops with error 23). Members are not compressed again: their deflate data is put one after the other, and
 * their CRCs are combined. A member that is not joinable is the exception.
 */
export async function* joinedGzip(parts: AsyncIterable<JoinPart>): AsyncGenerator<Uint8Array> {
  const sum = new Checksum();
  yield PLAIN_HEADER;
  for await (const part of parts) {
    if ('text' in part) {
      const bytes = Buffer.from(part.text);
      sum.add(crc32(bytes), bytes.length);
      yield await deflateText(bytes);
    } else yield* memberData(part.member, sum);
  }
  yield sum.end();
}

/** CRC-32 and length of a text of which only the CRCs and lengths of its pieces are known. */
class Checksum {
  #crc = 0;
  #length = 0;

  add(crc: number, length: number): void {
    this.#crc = combineCrc32(this.#crc, crc, length);
    this.#length += length;
  }

  end(): Buffer {
    return joinableEnd(this.#crc, this.#length);
  }
}

/** Deflate data that ends at a byte, not in a final block. */
function deflateText(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    deflateRaw(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }, (err, data) =>
      err === null ? resolve(data) : reject(err),
    ),
  );
}

/** The deflate data of a member without its end, which goes into the sum. */
async function* memberData(chunks: AsyncIterable<Uint8Array>, sum: Checksum): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  let held = await readAtLeast(source, Buffer.alloc(0), JOINABLE_HEADER.length);
  if (!held.subarray(0, JOINABLE_HEADER.length).equals(JOINABLE_HEADER)) {
    yield* compressedAgain(resume(held, source), sum);
    return;
  }
  held = held.subarray(JOINABLE_HEADER.length);
  for (let next = await source.next(); !next.done; next = await source.next()) {
    if (held.length > END_BYTES) yield held.subarray(0, -END_BYTES);
    held = Buffer.concat([held.subarray(-END_BYTES), next.value]);
  }
  const end = held.subarray(-END_BYTES);
  if (end.length < END_BYTES || !end.subarray(0, FINAL_BLOCK.length).equals(FINAL_BLOCK)) {
    throw new Error('a joinable gzip member does not end as one');
  }
  yield held.subarray(0, -END_BYTES);
  sum.add(end.readUInt32LE(FINAL_BLOCK.length), end.readUInt32LE(FINAL_BLOCK.length + 4));
}

async function readAtLeast(source: AsyncIterator<Uint8Array>, start: Buffer, bytesMin: number): Promise<Buffer> {
  let read = start;
  while (read.length < bytesMin) {
    const next = await source.next();
    if (next.done) break;
    read = Buffer.concat([read, next.value]);
  }
  return read;
}

async function* resume(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* compressedAgain(member: AsyncIterable<Uint8Array>, sum: Checksum): AsyncGenerator<Uint8Array> {
  async function* counted() {
    for await (const bytes of through(createGunzip(), member)) {
      sum.add(crc32(bytes), bytes.length);
      yield bytes;
    }
  }
  yield* through(createDeflateRaw({ level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }), counted());
}

/**
 * What a transform makes of chunks. Throws what they throw, or it; whoever stops reading ends both. Not `Readable.compose`: with
 * that one of Node 20 an error that comes after the last chunk is nobody's, and ends the process.
 */
async function* through(transform: Transform, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const passed = pipeline(chunks, transform);
  passed.catch(() => {}); // the transform has it, and throws it below
  yield* transform as AsyncIterable<Buffer>;
  await passed;
}
