import { randomUUID } from 'node:crypto';
import { hasReason, retry } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { BlockSink } from './block-writer.js';
import type { Database, Statements } from './database.js';
import type { ObjectStore } from './object-store.js';
import {
  type BlobRange,
  deleteGroup,
  listAbandonedGroups,
  listObjects,
  noteGroup,
  noteObjects,
} from './statements/objects.js';

/*
 * Blobs in an object store. The objects of a blob are one group, whose name nobody has had before: an object is written once
 * and never changes. The group is noted before its first object is written, and the blob names it when it is committed; a
 * group that no blob names, because its upload failed or its job was deleted, is swept.
 */

/** Of an object: larger than a block of the database, because each is a request. */
const OBJECT_BYTES = 2 * 1024 * 1024;
/** An object never changes: it is read and written again where one answer is wrong. A caller waits longer than all this. */
const TRY_AGAIN = {
  pauseMs: 50,
  pauseMsMax: 500,
  timeLimitMs: 2_000,
  isPassing: (err: unknown) => hasReason(err, 'OBJECT_STORE_UNAVAILABLE'),
};
/** Groups that one round of the sweep removes. */
const SWEPT_MAX = 1_000;

/** A group of objects that is being written. */
export interface NewObjects extends BlockSink {
  readonly group: string;
  /** Notes the objects with their blob, whose row there is. */
  note(transaction: Statements, blobId: bigint): Promise<void>;
  /** Removes what has been written; what cannot be is swept. */
  discard(): Promise<void>;
}

export interface ObjectBlocks {
  create(): Promise<NewObjects>;
  /** Parts of ranges, as far as their blobs are objects. */
  read(
    ranges: readonly BlobRange[],
  ): Promise<{ readonly index: number; readonly start: number; readonly bytes: Buffer }[]>;
  /** Removes the objects that no blob names any more. @returns how many groups */
  sweep(): Promise<number>;
}

/**
 * @param abandonedAfterMs - an upload that has not ended by then never will
 */
export function createObjectBlocks(db: Database, store: ObjectStore, abandonedAfterMs: number): ObjectBlocks {
  return {
    create: () => createObjects(db, store),
    read: (ranges) => readObjects(db, store, ranges),
    async sweep() {
      const groups = await db.rows(listAbandonedGroups(abandonedAfterMs, SWEPT_MAX));
      for (const { name } of groups) await removeGroup(db, store, name);
      return groups.length;
    },
  };
}

async function removeGroup(db: Database, store: ObjectStore, name: string): Promise<void> {
  await store.removeAll(`${name}/`);
  await db.run(deleteGroup(name));
}

const keyOf = (group: string, start: number | bigint) => `${group}/${start}`;

async function createObjects(db: Database, store: ObjectStore): Promise<NewObjects> {
  const group = randomUUID();
  await db.run(noteGroup(group));
  const starts: number[] = [];
  const sizes: number[] = [];
  return {
    group,
    blockBytes: OBJECT_BYTES,
    async put(start, content) {
      await retry(() => store.put(keyOf(group, start), content), TRY_AGAIN);
      starts.push(start);
      sizes.push(content.byteLength);
    },
    async note(transaction, blobId) {
      await transaction.run(noteObjects(blobId, starts, sizes));
    },
    discard: () => removeGroup(db, store, group).catch(() => undefined),
  };
}

async function readObjects(db: Database, store: ObjectStore, ranges: readonly BlobRange[]) {
  const rows = await db.rows(listObjects(ranges));
  const wanted = new Map(ranges.map((range) => [range.index, range]));
  const pieces: { index: number; start: number; bytes: Buffer }[] = [];
  for (const { index, group, start: startByte, size } of rows) {
    const range = wanted.get(index);
    if (range === undefined) continue;
    const start = Number(startByte);
    const from = Math.max(range.from - start, 0);
    const read = async () => {
      const bytes = await store.read(keyOf(group, start), from, Math.min(range.to - start, size));
      if (bytes === undefined) throw await missingObject(db, range, group);
      return bytes;
    };
    pieces.push({ index, start, bytes: await retry(read, TRY_AGAIN) });
  }
  return pieces;
}

/** An object is swept only after its blob has gone: a store that misses an earlier one answers wrongly. */
async function missingObject(db: Database, range: BlobRange, group: string): Promise<Error> {
  const rows = await db.rows(listObjects([range]));
  if (!rows.some((row) => row.group === group)) return fail('CHANGED_WHILE_READ');
  return fail('OBJECT_STORE_UNAVAILABLE', { cause: new Error(`the object store misses an object of ${group}`) });
}
