import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw, createGunzip, type DeflateRaw } from 'node:zlib';
import type { ThingEvent } from './upload.js';

/**
 * Header of a joinable member (RFC 1952, 2.3): deflate, an extra field with the empty subfield "TJ", no time, no name.
 * The subfield says that a flush precedes the final, empty block: without header, that block (03 00) and trailer, the
 * deflate data ends at a byte and may be followed by that of another member (ADR 7).
 */
const JOINABLE_HEADER = Buffer.from('1f8b08040000000000ff0400544a0000', 'hex');

/** One joinable gzip member, made piece by piece off the main thread. */
export class GzipMember {
  readonly #deflate: DeflateRaw;
  #made: Buffer[] = [JOINABLE_HEADER];
  #failure: Error | undefined;
  #crc = 0;
  /** Modulo 2^32, as the trailer wants it. */
  #length = 0;

  /** @param level - of compression, from 1; level 0 ends in another way */
  constructor(level: number) {
    this.#deflate = createDeflateRaw({ level });
    this.#deflate.on('data', (bytes: Buffer) => this.#made.push(bytes));
    this.#deflate.on('error', (err) => {
      this.#failure = err;
    });
  }

  /** Compresses; gives what is ready by now, often nothing. */
  async write(data: Uint8Array | string): Promise<Buffer[]> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.#crc = crc32(bytes, this.#crc);
    this.#length = (this.#length + bytes.byteLength) % 2 ** 32;
    await new Promise<void>((resolve) => this.#deflate.write(bytes, () => resolve()));
    return this.#take();
  }

  /** The last of the member. */
  async end(): Promise<Buffer[]> {
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    await new Promise<void>((resolve) =>
      this.#deflate
        .once('end', resolve)
        .once('error', () => resolve())
        .end(),
    );
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length, 4);
    return [...this.#take(), trailer];
  }

  /** Frees what an unfinished member holds. */
  destroy(): void {
    this.#deflate.destroy();
  }

  #take(): Buffer[] {
    if (this.#failure !== undefined) throw this.#failure;
    const made = this.#made;
    this.#made = [];
    return made;
  }
}

/** Replaces the bytes of each thing by one gzip member of them. */
export async function* gzipThings<Thing>(
  events: AsyncIterable<ThingEvent<Thing>>,
  level: number,
): AsyncGenerator<ThingEvent<Thing>> {
  let member: GzipMember | undefined;
  try {
    for await (const event of events) {
      if (event.kind === 'start') member = new GzipMember(level);
      const made =
        event.kind === 'bytes' ? await member?.write(event.bytes) : event.kind === 'end' ? await member?.end() : [];
      if (event.kind === 'start') yield event;
      for (const bytes of made ?? []) yield { kind: 'bytes', bytes };
      if (event.kind === 'end') yield event;
    }
  } finally {
    member?.destroy();
  }
}

/** What a gzip member holds, in pieces of at most `chunkBytesMax`; fails as `pieces` fails. */
export async function* gunzip(pieces: AsyncIterable<Uint8Array>, chunkBytesMax: number): AsyncGenerator<Buffer> {
  const unpacked = createGunzip({ chunkSize: chunkBytesMax });
  const piped = pipeline(Readable.from(pieces), unpacked);
  piped.catch(() => {}); // the reader below hears of it
  for await (const bytes of unpacked) yield bytes as Buffer;
  await piped;
}
