import { type Sql, sql } from '@tally/service-kit';

/** Some bytes of a blob. */
export interface BlobRange {
  readonly index: number;
  readonly blobId: bigint;
  readonly from: number;
  readonly to: number;
}

/** A group of objects that is about to be written. */
export const noteGroup = (name: string): Sql => sql`INSERT INTO object_groups (name) VALUES (${name})`;

/** A group whose objects have gone. */
export const deleteGroup = (name: string): Sql => sql`DELETE FROM object_groups WHERE name = ${name}`;

/** Groups that no blob names after so long. */
export const listAbandonedGroups = (abandonedAfterMs: number, max: number) => sql<{ readonly name: string }>`
  SELECT name FROM object_groups AS known
  WHERE created_at < now() - ${abandonedAfterMs}::float8 * interval '1 ms'
    AND NOT EXISTS (SELECT 1 FROM blobs WHERE object_group = known.name)
  LIMIT ${max}`;

/** Lets the groups of some blobs be swept by the next round, and not after the time of an upload. @param areMeant - condition on rows of `blobs` */
export const abandonGroups = (areMeant: Sql): Sql => sql`
  UPDATE object_groups SET created_at = '-infinity'
  WHERE name IN (SELECT object_group FROM blobs WHERE ${areMeant})`;

/** The objects of a blob, whose row there is. */
export const noteObjects = (blobId: bigint, starts: readonly number[], sizes: readonly number[]): Sql => sql`
  INSERT INTO blob_objects (blob_id, start_byte, size_bytes)
  SELECT ${blobId}::bigint, part.* FROM unnest(${[...starts]}::bigint[], ${[...sizes]}::int[]) AS part`;

/** An object that has a part of a range. */
export interface ObjectRow {
  readonly index: number;
  readonly group: string;
  readonly start: bigint;
  readonly size: number;
}

/** The objects of ranges of blobs, in the order of ranges and bytes. */
export const listObjects = (ranges: readonly BlobRange[]) => sql<ObjectRow>`
  SELECT range.index, object_group AS "group", start_byte AS start, object.size_bytes AS size
  FROM unnest(${ranges.map(({ index }) => index)}::int[], ${ranges.map(({ blobId }) => blobId)}::bigint[],
    ${ranges.map(({ from }) => from)}::bigint[], ${ranges.map(({ to }) => to)}::bigint[]) AS range (index, id, first, stop)
    JOIN blobs ON blobs.blob_id = range.id JOIN blob_objects AS object ON object.blob_id = range.id
  WHERE start_byte < range.stop AND start_byte + object.size_bytes > range.first
  ORDER BY range.index, start_byte`;
