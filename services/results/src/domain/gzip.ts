import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, gzipSync } from 'node:zlib';

const SMALL_BYTES_MAX = 8 * 1024;
/**
 * A compressor takes 2^(windowBits + 2) + 2^(memLevel + 9) bytes (zlib manual, deflateInit2), by default 256 KiB, which the
 * system has to clear each time: half of what a small document costs. A quarter of it is as good for them.
 */
const SMALL = { windowBits: 13, memLevel: 6 };

/** What gzip members in a row hold, in pieces of at most `chunkBytesMax`; fails as `pieces` fails. */
export async function* gunzip(pieces: AsyncIterable<Uint8Array>, chunkBytesMax: number): AsyncGenerator<Buffer> {
  const unpacked = createGunzip({ chunkSize: chunkBytesMax });
  const piped = pipeline(Readable.from(pieces), unpacked);
  piped.catch(() => {}); // the reader below hears of it
  for await (const bytes of unpacked) yield bytes as Buffer;
  await piped;
}

/** One gzip member of these bytes, made off the main thread; fails as `pieces` fails. */
export async function* gzip(pieces: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Buffer> {
  const packed = createGzip({ level });
  const piped = pipeline(Readable.from(pieces), packed);
  piped.catch(() => {}); // the reader below hears of it
  for await (const bytes of packed) yield bytes as Buffer;
  await piped;
}

/** One gzip member of bytes that are in memory. */
export function gzipWhole(bytes: Uint8Array, level: number): Buffer {
  return gzipSync(bytes, bytes.byteLength <= SMALL_BYTES_MAX ? { level, ...SMALL } : { level });
}
