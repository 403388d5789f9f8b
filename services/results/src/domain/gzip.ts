import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

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
