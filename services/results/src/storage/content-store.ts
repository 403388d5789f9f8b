import { chunksOf, inGroups, type Sql } from '@tally/service-kit';
import type { LimitFunction } from 'p-limit';
import { fail } from '../domain/errors.js';
import type { ContentMaker } from '../domain/ports.js';
import { type BlockSink, BlockWriter, type Piece } from './block-writer.js';
import type { Database, Transaction } from './database.js';
import type { ObjectBlocks } from './object-blocks.js';
import { NEXT_BLOB_ID, type NewContent, NOTHING, readBlocks, readRow } from './statements/blobs.js';
import { findJobId } from './statements/inputs.js';
import { insertBlock } from './statements/insert-block.js';

/*
 * Where the bytes of inputs, task outputs and results lie: those that are few in the row that they belong to, the others as a
 * blob, in blocks of the database, or as objects where there is a store for them (object-blocks.ts). This is the only place that
 * reads and writes them.
 */

/** Where contents are kept. */
export interface Contents {
  readonly db: Database;
  /** Undefined: blobs are blocks of the database. */
  readonly objects: ObjectBlocks | undefined;
  /** Blobs are written in these slots: each holds a connection. */
  readonly writers: LimitFunction;
}

/** A block is read and sent as a whole: it is no larger than a message of a stream. */
export const BLOCK_BYTES = 256 * 1024;
/** Blocks that are sent before the first of them is stored: more are not held. */
const BLOCKS_UNDER_WAY_MAX = 4;
/** Bytes read by one statement: half as many take PostgreSQL a third more processor time, and pg grows its buffer for each anew. */
const READ_BYTES = 8 * BLOCK_BYTES;
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
  contents: Contents,
  maker: ContentMaker<Made>,
  rowBytesMax: number,
  publish: Publisher<Made, Result>,
): Promise<Result> {
  const held: Piece[] = [];
  let bytes = 0;
  for (let next = await maker.next(); ; next = await maker.next()) {
    if (next.done) return publish.small({ content: joinPieces(held), blobId: null, sizeBytes: bytes }, next.value);
    held.push(next.value);
    bytes += next.value.bytes.byteLength;
    if (bytes > rowBytesMax) break;
  }
  const { db, objects, writers } = contents;
  return writers(() =>
    objects === undefined ? storeBlocks(db, held, maker, publish) : storeObjects(db, objects, held, maker, publish),
  );
}

/** How a content is published with the row that it belongs to. */
interface Publisher<Made, Result> {
  /** Before anything large is taken in. */
  readonly begin?: Check;
  small(content: NewContent, made: Made): Promise<Result>;
  large(transaction: Transaction, content: NewContent, made: Made): Promise<Result>;
}

/** Blocks and row in one transaction. */
function storeBlocks<Made, Result>(
  db: Database,
  held: Piece[],
  maker: ContentMaker<Made>,
  publish: Publisher<Made, Result>,
): Promise<Result> {
  return db.transact(async (transaction) => {
    const [begun, [blob]] = await transaction.rowsOfEach([publish.begin?.statement ?? NOTHING, NEXT_BLOB_ID]);
    publish.begin?.check(begun);
    const blobId = idOf(blob);
    const underWay: Promise<void>[] = [];
    const put = async (start: number, content: Buffer) => {
      underWay.push(transaction.send([insertBlock(blobId, start, content)]));
      if (underWay.length >= BLOCKS_UNDER_WAY_MAX) await underWay.shift();
    };
    const { made, sizeBytes } = await writeAll({ blockBytes: BLOCK_BYTES, put }, held, maker);
    return publish.large(transaction, { content: null, blobId, sizeBytes }, made);
  });
}

/** Objects first, then the row that names them: a failure in between leaves objects that nobody names, and they are swept. */
async function storeObjects<Made, Result>(
  db: Database,
  blocks: ObjectBlocks,
  held: Piece[],
  maker: ContentMaker<Made>,
  publish: Publisher<Made, Result>,
): Promise<Result> {
  if (publish.begin !== undefined) publish.begin.check(await db.rows(publish.begin.statement));
  const objects = await blocks.create();
  try {
    const { made, sizeBytes } = await writeAll(objects, held, maker);
    return await db.transact(async (transaction) => {
      const blobId = idOf(await transaction.row(NEXT_BLOB_ID));
      const content = { content: null, blobId, objectGroup: objects.group, sizeBytes };
      const result = await publish.large(transaction, content, made);
      await objects.note(transaction, blobId);
      return result;
    });
  } catch (err) {
    await objects.discard();
    throw err;
  }
}

function idOf(row: { readonly id: bigint } | undefined): bigint {
  if (row === undefined) throw new Error('a sequence gave no number');
  return row.id;
}

async function writeAll<Made>(sink: BlockSink, held: Piece[], maker: ContentMaker<Made>) {
  const writer = new BlockWriter(sink);
  let sizeBytes = 0;
  const write = async (piece: Piece) => {
    sizeBytes += piece.bytes.byteLength;
    await writer.write(piece);
  };
  for (const piece of held.splice(0)) await write(piece);
  let next = await maker.next();
  for (; !next.done; next = await maker.next()) await write(next.value);
  await writer.end();
  return { made: next.value, sizeBytes };
}

/** A statement, and what its rows have to be. */
interface Check {
  readonly statement: Sql<unknown>;
  check(rows: readonly unknown[]): void;
}

/** @throws ServiceError JOB_NOT_FOUND */
export const jobExists = (jobId: string): Check => ({
  statement: findJobId(jobId),
  check: (rows) => {
    if (rows.length === 0) throw fail('JOB_NOT_FOUND');
  },
});

function joinPieces(pieces: readonly Piece[]): Buffer {
  const end = pieces.reduce((most, { at, bytes }) => Math.max(most, at + bytes.byteLength), 0);
  const joined = Buffer.alloc(end);
  for (const { at, bytes } of pieces) joined.set(bytes, at);
  return joined;
}

/** The bytes of a range, in pieces of at most 256 KiB. @throws ServiceError CHANGED_WHILE_READ when they have gone */
export async function* readContent(contents: Contents, { place, from, to }: ContentRange): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += READ_BYTES) {
    const [pieces = []] = await readPieces(contents, [{ place, from: at, to: Math.min(at + READ_BYTES, to) }]);
    for (const piece of pieces) yield* chunksOf(piece, BLOCK_BYTES);
  }
}

/** The bytes of each range, in memory. @throws ServiceError CHANGED_WHILE_READ when those of one have gone */
export async function readContents(contents: Contents, ranges: readonly ContentRange[]): Promise<Buffer[]> {
  const read = await readPieces(contents, ranges);
  return read.map((pieces) => (pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces)));
}

/** The bytes of each range in the pieces in which they lie. */
async function readPieces({ db, objects }: Contents, ranges: readonly ContentRange[]): Promise<Buffer[][]> {
  const pieces: FoundPiece[][] = ranges.map(() => []);
  const wanted = ranges.map((range, index) => ({ ...range, index }));
  for (const table of ['task_outputs', 'final_results', 'blocks'] as const) {
    const ofTable = wanted.filter(({ place }) => ('blobId' in place ? 'blocks' : place.table) === table);
    for (const group of inGroups(ofTable, () => 1, RANGES_PER_STATEMENT)) {
      for (const piece of await readTable(db, table, group)) pieces[piece.index]?.push(piece);
    }
  }
  const blobs = wanted.flatMap(({ place, from, to, index }) =>
    'blobId' in place ? [{ ...place, from, to, index }] : [],
  );
  const inObjects = blobs.filter(({ index, from, to }) => countBytes(pieces[index]) < to - from);
  if (objects !== undefined && inObjects.length > 0) {
    for (const piece of await objects.read(inObjects)) pieces[piece.index]?.push(piece);
  }
  return ranges.map(({ from, to }, index) => {
    const found = pieces[index]?.toSorted((a, b) => a.start - b.start) ?? [];
    if (countBytes(found) !== to - from) throw fail('CHANGED_WHILE_READ');
    return found.map((piece) => piece.bytes);
  });
}

const countBytes = (pieces: readonly FoundPiece[] = []) => pieces.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);

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
  const values = ranges.map(({ place, from, to, index }) => {
    return [index, 'blobId' in place ? place.blobId : place.rowId, from, to] as const;
  });
  const rows = await (table === 'blocks' ? readBlocks(db, values, BLOCK_BYTES) : readRow(db, table, values));
  return rows.map(([index, start, bytes]) => ({
    index: index?.readInt32BE() ?? 0,
    start: Number(start?.readBigInt64BE() ?? 0),
    bytes: bytes ?? Buffer.alloc(0),
  }));
}
