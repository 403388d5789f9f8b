import { type Sql, sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import { inGroups } from '../domain/groups.js';
import type { ContentMaker } from '../domain/ports.js';
import type { Database, Statements } from './database.js';

/*
 * Where the bytes of inputs, task outputs and results lie: those that are few in the row that they belong to, the others as a
 * blob, in blocks. This is the only place that reads and writes blocks.
 */

/** A block is read and sent as a whole: it is no larger than a message of a stream. */
const BLOCK_BYTES = 256 * 1024;
/** Bytes read by one statement. */
const READ_BYTES = 4 * BLOCK_BYTES;
/** Regions of a blob that are being written; see ContentMaker. */
const REGIONS_MAX = 4;

/** Bytes that are about to be stored with their row. */
export interface NewContent {
  /** Null: they are in the blob. */
  readonly content: Buffer | null;
  readonly blobId: bigint | null;
  readonly sizeBytes: number;
}

/** Where stored bytes lie. */
export type ContentPlace =
  | { readonly blobId: bigint }
  | { readonly table: 'task_outputs' | 'final_results'; readonly rowId: bigint };

/** Some bytes of a content. */
export interface ContentRange {
  readonly place: ContentPlace;
  readonly from: number;
  readonly to: number;
}

/**
 * Takes in what a maker makes, and has it published with the row that it belongs to: in one go when it is small, else at the
 * end of a transaction in which the blocks were written.
 */
export async function storeContent<Made, Result>(
  db: Database,
  maker: ContentMaker<Made>,
  rowBytesMax: number,
  publish: {
    /** Before anything large is taken in. */
    begin?(transaction: Statements): Promise<void>;
    small(content: NewContent, made: Made): Promise<Result>;
    large(transaction: Statements, content: NewContent, made: Made): Promise<Result>;
  },
): Promise<Result> {
  const held: Piece[] = [];
  let bytes = 0;
  for (let next = await maker.next(); ; next = await maker.next()) {
    if (next.done) return publish.small({ content: joinPieces(held), blobId: null, sizeBytes: bytes }, next.value);
    held.push(next.value);
    bytes += next.value.bytes.byteLength;
    if (bytes > rowBytesMax) break;
  }
  return db.transact(async (transaction) => {
    await publish.begin?.(transaction);
    const row = await transaction.row(sql<{ id: bigint }>`SELECT nextval('blobs_blob_id_seq') AS id`);
    if (row === undefined) throw new Error('a sequence gave no number');
    const writer = new BlockWriter(transaction, row.id);
    for (const piece of held.splice(0)) await writer.write(piece);
    let next = await maker.next();
    for (; !next.done; next = await maker.next()) {
      await writer.write(next.value);
      bytes += next.value.bytes.byteLength;
    }
    await writer.end();
    return publish.large(transaction, { content: null, blobId: row.id, sizeBytes: bytes }, next.value);
  });
}

/** @throws ServiceError JOB_NOT_FOUND */
export async function requireJob(statements: Statements, jobId: string): Promise<void> {
  if ((await statements.run(sql`SELECT 1 FROM jobs WHERE job_id = ${jobId}`)) === 0) throw fail('JOB_NOT_FOUND');
}

/** Statements of the blob that come with the row of its owner; blocks that are there already refer to it. */
export function blobStatements({ blobId }: NewContent, jobId: string): Sql[] {
  return blobId === null ? [] : [sql`INSERT INTO blobs (blob_id, job_id) VALUES (${blobId}, ${jobId})`];
}

interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

function joinPieces(pieces: readonly Piece[]): Buffer {
  const end = pieces.reduce((most, { at, bytes }) => Math.max(most, at + bytes.byteLength), 0);
  const joined = Buffer.alloc(end);
  for (const { at, bytes } of pieces) joined.set(bytes, at);
  return joined;
}

/** A region that grows at its end. */
interface Region {
  start: number;
  size: number;
  pieces: Uint8Array[];
}

/** Writes bytes as blocks; holds less than a block of each region. */
class BlockWriter {
  #regions: Region[] = [];

  constructor(
    private readonly transaction: Statements,
    private readonly blobId: bigint,
  ) {}

  async write({ at, bytes }: Piece): Promise<void> {
    let region = this.#regions.find(({ start, size }) => start + size === at);
    if (region === undefined) {
      region = { start: at, size: 0, pieces: [] };
      this.#regions.push(region);
      if (this.#regions.length > REGIONS_MAX) await this.#flush(this.#regions.shift());
    }
    region.pieces.push(bytes);
    region.size += bytes.byteLength;
    if (region.size < BLOCK_BYTES) return;
    const joined = Buffer.concat(region.pieces);
    const whole = joined.byteLength - (joined.byteLength % BLOCK_BYTES);
    for (let from = 0; from < whole; from += BLOCK_BYTES) {
      await this.#insert(region.start + from, joined.subarray(from, from + BLOCK_BYTES));
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
    if (region !== undefined && region.size > 0) await this.#insert(region.start, Buffer.concat(region.pieces));
  }

  async #insert(start: number, content: Buffer): Promise<void> {
    await this.transaction.run(
      sql`INSERT INTO blocks (blob_id, start_byte, content) VALUES (${this.blobId}, ${start}, ${content})`,
    );
  }
}

/** The bytes of a range, in pieces of at most 256 KiB. @throws ServiceError CHANGED_WHILE_READ when they have gone */
export async function* readContent(db: Database, { place, from, to }: ContentRange): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += READ_BYTES) {
    const [pieces = []] = await readPieces(db, [{ place, from: at, to: Math.min(at + READ_BYTES, to) }]);
    for (const piece of pieces) {
      for (let start = 0; start < piece.byteLength; start += BLOCK_BYTES) {
        yield piece.subarray(start, start + BLOCK_BYTES);
      }
    }
  }
}

/** The bytes of each range, in memory. @throws ServiceError CHANGED_WHILE_READ when those of one have gone */
export async function readContents(db: Database, ranges: readonly ContentRange[]): Promise<Buffer[]> {
  const read = await readPieces(db, ranges);
  return read.map((pieces) => (pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces)));
}

/** The bytes of each range in the pieces in which they lie. */
async function readPieces(db: Database, ranges: readonly ContentRange[]): Promise<Buffer[][]> {
  const pieces: FoundPiece[][] = ranges.map(() => []);
  const wanted = ranges.map((range, index) => ({ ...range, index }));
  for (const table of ['task_outputs', 'final_results', 'blocks'] as const) {
    const ofTable = wanted.filter(({ place }) => ('blobId' in place ? 'blocks' : place.table) === table);
    for (const group of inGroups(ofTable, () => 1, RANGES_PER_STATEMENT)) {
      for (const piece of await readTable(db, table, group)) pieces[piece.index]?.push(piece);
    }
  }
  return ranges.map(({ from, to }, index) => {
    const found = pieces[index]?.toSorted((a, b) => a.start - b.start) ?? [];
    const bytes = found.reduce((sum, piece) => sum + piece.bytes.byteLength, 0);
    if (bytes !== to - from) throw fail('CHANGED_WHILE_READ');
    return found.map((piece) => piece.bytes);
  });
}

/** Ranges that one statement names. */
const RANGES_PER_STATEMENT = 1_000;

/** A part of a range; `start` orders those of one. */
interface FoundPiece {
  readonly index: number;
  readonly start: number;
  readonly bytes: Buffer;
}

async function readTable(
  db: Database,
  table: 'task_outputs' | 'final_results' | 'blocks',
  ranges: readonly (ContentRange & { readonly index: number })[],
): Promise<FoundPiece[]> {
  const values = ranges.map(({ place, from, to, index }) => [
    index,
    'blobId' in place ? place.blobId : place.rowId,
    from,
    to,
  ]);
  const statements = {
    task_outputs: () => db.copy`
      SELECT range.index, 0::bigint, substring(content FROM range.first + 1 FOR range.stop - range.first)
      FROM (VALUES ${values}) AS range (index, id, first, stop) JOIN task_outputs ON output_id = range.id`,
    final_results: () => db.copy`
      SELECT range.index, 0::bigint, substring(content FROM range.first + 1 FOR range.stop - range.first)
      FROM (VALUES ${values}) AS range (index, id, first, stop) JOIN final_results ON result_id = range.id`,
    // no block is longer than BLOCK_BYTES: the first one of a range begins within so many bytes before it; OFFSET 0 keeps
    // the planner from reading the whole table
    blocks: () => db.copy`
      SELECT range.index, block.start_byte, block.content
      FROM (VALUES ${values}) AS range (index, id, first, stop) CROSS JOIN LATERAL (
        SELECT start_byte, substring(content FROM greatest(range.first - start_byte, 0)::int + 1
          FOR (least(range.stop - start_byte, length(content)) - greatest(range.first - start_byte, 0))::int) AS content
        FROM blocks WHERE blob_id = range.id AND start_byte > range.first - ${BLOCK_BYTES} AND start_byte < range.stop
          AND start_byte + length(content) > range.first
        OFFSET 0) AS block`,
  };
  const rows = await statements[table]();
  return rows.map(([index, start, bytes]) => ({
    index: index?.readInt32BE() ?? 0,
    start: Number(start?.readBigInt64BE() ?? 0),
    bytes: bytes ?? Buffer.alloc(0),
  }));
}
