import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';
import type { ThingEvent } from './upload.js';

/** One gzip member, made piece by piece off the main thread. */
export class GzipMember {
  readonly #gzip: Gzip;
  #made: Buffer[] = [];
  #failure: Error | undefined;

  constructor(level: number) {
    this.#gzip = createGzip({ level });
    this.#gzip.on('data', (bytes: Buffer) => this.#made.push(bytes));
    this.#gzip.on('error', (err) => {
      this.#failure = err;
    });
  }

  /** Compresses; gives what is ready by now, often nothing. */
  async write(data: Uint8Array | string): Promise<Buffer[]> {
    await new Promise<void>((resolve) => this.#gzip.write(data, () => resolve()));
    return this.#take();
  }

  /** The last of the member. */
  async end(): Promise<Buffer[]> {
    await new Promise<void>((resolve) =>
      this.#gzip
        .once('end', resolve)
        .once('error', () => resolve())
        .end(),
    );
    return this.#take();
  }

  /** Frees what an unfinished member holds. */
  destroy(): void {
    this.#gzip.destroy();
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
