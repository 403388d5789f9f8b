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

/** Up to so many bytes are compressed at once, within two milliseconds; a stream for each small document costs more. */
const WHOLE_BYTES_MAX = 64 * 1024;

/** One gzip member of these bytes, of many made off the main thread; fails as `pieces` fails. */
export async function* gzip(pieces: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Buffer> {
  const iterator = pieces[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  for (let bytes = 0; bytes <= WHOLE_BYTES_MAX; ) {
    const next = await iterator.next();
    if (next.done) {
      yield gzipWhole(Buffer.concat(held), level);
      return;
    }
    held.push(next.value);
    bytes += next.value.byteLength;
  }
  const packed = createGzip({ level });
  const piped = pipeline(Readable.from(resumed(held, iterator)), packed);
  piped.catch(() => {}); // the reader below hears of it
  for await (const bytes of packed) yield bytes as Buffer;
  await piped;
}

async function* resumed(held: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* held;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** One gzip member of bytes that are in memory. */
export function gzipWhole(bytes: Uint8Array, level: number): Buffer {
  return gzipSync(bytes, bytes.byteLength <= SMALL_BYTES_MAX ? { level, ...SMALL } : { level });
}
