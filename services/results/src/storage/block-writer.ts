/** Regions of a blob that are being written; see ContentMaker. */
const REGIONS_MAX = 4;

/** Bytes of a blob with their place. */
export interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Takes a block of a blob that is being written: all are `blockBytes` long but those where a region ends. */
export interface BlockSink {
  readonly blockBytes: number;
  put(start: number, content: Buffer): Promise<void>;
}

/** A region that grows at its end. */
interface Region {
  start: number;
  size: number;
  pieces: Uint8Array[];
}

/** Writes bytes as blocks; holds less than a block of each region. */
export class BlockWriter {
  #regions: Region[] = [];

  constructor(private readonly sink: BlockSink) {}

  async write({ at, bytes }: Piece): Promise<void> {
    let region = this.#regions.find(({ start, size }) => start + size === at);
    if (region === undefined) {
      region = { start: at, size: 0, pieces: [] };
      this.#regions.push(region);
      if (this.#regions.length > REGIONS_MAX) await this.#flush(this.#regions.shift());
    }
    region.pieces.push(bytes);
    region.size += bytes.byteLength;
    const { blockBytes } = this.sink;
    if (region.size < blockBytes) return;
    const joined = Buffer.concat(region.pieces);
    const whole = joined.byteLength - (joined.byteLength % blockBytes);
    for (let from = 0; from < whole; from += blockBytes) {
      await this.sink.put(region.start + from, joined.subarray(from, from + blockBytes));
    }
    region.start += whole;
    region.size -= whole;
    region.pieces = [joined.subarray(whole)];
  }

  /** Writes what is left. */
  async end(): Promise<void> {
    for (const region of this.#regions.splice(0)) await this.#flush(region);
  }

  async #flush(region: Region | undefined): Promise<void> {
    if (region !== undefined && region.size > 0) await this.sink.put(region.start, Buffer.concat(region.pieces));
  }
}
