import { BlockWriter } from './block-writer.js';
import { BLOCK_BYTES } from './content-store.js';
import type { Database, Statements } from './database.js';
import type { ObjectBlocks } from './object-blocks.js';
import {
  copyBlocks,
  findNextBlob,
  listObjectsOf,
  lockBlob,
  moveToDatabase,
  moveToObjects,
} from './statements/blobs.js';
import { insertBlock } from './statements/insert-block.js';

/** Where blobs go. */
export type BlobTarget = 'objects' | 'database';

/**
 * Moves every blob to the object store, or back, one after the other, while the service runs: a reader finds each in the one or the
 * other place, and is told to read again if it changes under its hands. Safe to repeat; objects that are left are swept.
 * @param tell - after each blob
 */
export async function moveBlobs(
  db: Database,
  objects: ObjectBlocks,
  target: BlobTarget,
  tell: (blobCount: number, bytes: number) => void,
): Promise<void> {
  let [blobCount, bytes, after] = [0, 0, 0n];
  for (;;) {
    const row = await db.row(findNextBlob(after, target === 'objects'));
    if (row === undefined) return;
    after = row.blobId;
    bytes += await (target === 'objects' ? toObjects(db, objects, after) : toDatabase(db, objects, after));
    blobCount += 1;
    tell(blobCount, bytes);
  }
}

/** Blocks that are read by one statement. */
const BLOCKS_AT_ONCE = 4;

/** The blob was deleted or replaced meanwhile. */
class BlobGone extends Error {
  override readonly name = 'BlobGone';
}

async function toObjects(db: Database, blocks: ObjectBlocks, blobId: bigint): Promise<number> {
  const created = await blocks.create();
  const writer = new BlockWriter(created);
  let sizeBytes = 0;
  try {
    for await (const bytes of blocksOf(db, blobId)) {
      await writer.write({ at: sizeBytes, bytes });
      sizeBytes += bytes.byteLength;
    }
    await writer.end();
    await db.transact(async (transaction) => {
      if ((await transaction.run(lockBlob(blobId))) === 0) throw new BlobGone();
      for (const statement of moveToObjects(blobId, created.group)) await transaction.run(statement);
      await created.note(transaction, blobId);
    });
    return sizeBytes;
  } catch (err) {
    await created.discard();
    if (err instanceof BlobGone) return 0;
    throw err;
  }
}

/** In their order; they follow each other without a gap. */
async function* blocksOf(db: Database, blobId: bigint): AsyncGenerator<Buffer> {
  for (let from = 0; ; ) {
    const rows = await copyBlocks(db, blobId, from, BLOCKS_AT_ONCE);
    for (const [content = Buffer.alloc(0)] of rows) {
      from += content.byteLength;
      yield content;
    }
    if (rows.length < BLOCKS_AT_ONCE) return;
  }
}

async function toDatabase(db: Database, blocks: ObjectBlocks, blobId: bigint): Promise<number> {
  let sizeBytes = 0;
  const move = async (transaction: Statements) => {
    if ((await transaction.run(lockBlob(blobId))) === 0) return;
    const parts = await transaction.rows(listObjectsOf(blobId));
    for (const { start, size } of parts) {
      const from = Number(start);
      const pieces = await blocks.read([{ index: 0, blobId, from, to: from + size }]);
      const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
      if (bytes.byteLength !== size)
        throw new Error(`object ${from} of blob ${blobId} has ${bytes.byteLength} bytes, not ${size}`);
      for (let at = 0; at < size; at += BLOCK_BYTES) {
        await transaction.run(insertBlock(blobId, from + at, bytes.subarray(at, at + BLOCK_BYTES)));
      }
      sizeBytes += size;
    }
    for (const statement of moveToDatabase(blobId)) await transaction.run(statement);
  };
  await db.transact(move);
  return sizeBytes;
}
