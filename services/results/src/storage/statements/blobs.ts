import { type Sql, sql } from '@tally/service-kit';
import type { Database } from '../database.js';

/** Bytes that are about to be stored with their row. */
export interface NewContent {
  /** Null: they are in the blob. */
  readonly content: Buffer | null;
  readonly blobId: bigint | null;
  /** Of a blob whose bytes are objects. */
  readonly objectGroup?: string;
  readonly sizeBytes: number;
}

/** In the place of a statement that there is none of. */
export const NOTHING: Sql<unknown> = sql`SELECT 1`;

/** The number of a new blob: its blocks are written before its row. */
export const NEXT_BLOB_ID = sql<{ readonly id: bigint }>`SELECT nextval('blobs_blob_id_seq') AS id`;

/** The blob of a content, if it is one; it comes with the row of its owner, and blocks that are there already refer to it. */
export function insertBlob({ blobId, objectGroup, sizeBytes }: NewContent, jobId: string): Sql[] {
  if (blobId === null) return [];
  return [
    sql`INSERT INTO blobs (blob_id, job_id, object_group, size_bytes) VALUES (${blobId}, ${jobId}, ${objectGroup ?? null}, ${sizeBytes})`,
  ];
}

/** Index of a range, the row or blob that it is of, and its first byte and the one behind its last. */
type Range = readonly [number, bigint, number, number];

/*
 * Parts of ranges by COPY, which sends bytes as they are: index of the range, where in the blob they begin, bytes.
 */

/** Of contents that lie in rows. */
export function readRow(db: Database, table: 'task_outputs' | 'final_results', ranges: readonly Range[]) {
  const values = ranges.map((range) => [...range]);
  return table === 'task_outputs'
    ? db.copy`
      SELECT range.index, 0::bigint, substring(content FROM range.first + 1 FOR range.stop - range.first)
      FROM (VALUES ${values}) AS range (index, id, first, stop) JOIN task_outputs ON output_id = range.id`
    : db.copy`
      SELECT range.index, 0::bigint, substring(content FROM range.first + 1 FOR range.stop - range.first)
      FROM (VALUES ${values}) AS range (index, id, first, stop) JOIN final_results ON result_id = range.id`;
}

/**
 * Of blobs. No block is longer than `blockBytes`: the first one of a range begins within so many bytes before it. OFFSET 0 keeps the
 * planner from reading the whole table.
 */
export function readBlocks(db: Database, ranges: readonly Range[], blockBytes: number) {
  const values = ranges.map((range) => [...range]);
  return db.copy`
    SELECT range.index, block.start_byte, block.content
    FROM (VALUES ${values}) AS range (index, id, first, stop) CROSS JOIN LATERAL (
      SELECT start_byte, substring(content FROM greatest(range.first - start_byte, 0)::int + 1
        FOR (least(range.stop - start_byte, length(content)) - greatest(range.first - start_byte, 0))::int) AS content
      FROM blocks WHERE blob_id = range.id AND start_byte > range.first - ${blockBytes} AND start_byte < range.stop
        AND start_byte + length(content) > range.first
      OFFSET 0) AS block`;
}

/** The next blob after one that is in the database, or else in objects. */
export const findNextBlob = (after: bigint, isInDatabase: boolean) => sql<{ readonly blobId: bigint }>`
  SELECT blob_id AS "blobId" FROM blobs
  WHERE blob_id > ${after} AND (object_group IS NULL) = ${isInDatabase} ORDER BY blob_id LIMIT 1`;

/** One row: the blob is there, and stays. */
export const lockBlob = (blobId: bigint): Sql<unknown> => sql`SELECT 1 FROM blobs WHERE blob_id = ${blobId} FOR UPDATE`;

/** Objects have the bytes of a blob from now on, and its blocks go. */
export const moveToObjects = (blobId: bigint, group: string): Sql[] => [
  sql`UPDATE blobs SET object_group = ${group} WHERE blob_id = ${blobId}`,
  sql`DELETE FROM blocks WHERE blob_id = ${blobId}`,
];

/** Blocks have the bytes of a blob from now on. */
export const moveToDatabase = (blobId: bigint): Sql[] => [
  sql`DELETE FROM blob_objects WHERE blob_id = ${blobId}`,
  sql`UPDATE blobs SET object_group = NULL WHERE blob_id = ${blobId}`,
];

/** The objects of a blob in their order. */
export const listObjectsOf = (blobId: bigint) => sql<{ readonly start: bigint; readonly size: number }>`
  SELECT start_byte AS start, size_bytes AS size FROM blob_objects WHERE blob_id = ${blobId} ORDER BY start_byte`;

/** Blocks of a blob that begin at a byte or later, by COPY. */
export const copyBlocks = (db: Database, blobId: bigint, from: number, max: number) => db.copy`
  SELECT content FROM blocks WHERE blob_id = ${blobId} AND start_byte >= ${from} ORDER BY start_byte LIMIT ${max}`;

/** Disk that tables take, with their indexes and what PostgreSQL keeps beside them. Asks the catalogue only. */
export const sumRelationBytes = (tables: readonly string[]) => sql<{ readonly bytes: bigint }>`
  SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest(${[...tables]}::text[]) AS name`;
