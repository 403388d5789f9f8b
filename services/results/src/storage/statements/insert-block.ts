import { deflateRawSync } from 'node:zlib';
import { type Sql, sql } from '@tally/service-kit';

/** Stretches of a block that are looked at, and their length, bytes: few, as every block is looked at. */
const SAMPLES = 16;
const SAMPLE_BYTES = 256;
/** A window of 2^12 bytes holds them all; little memory is quickly cleared. */
const OPTIONS = { level: 1, windowBits: 12, memLevel: 4 } as const;
/**
 * Samples of what PostgreSQL compresses are deflated to at most this share of their length. It keeps what loses a quarter
 * (`pglz_compress` of PostgreSQL, default strategy), and finds less than deflate.
 */
const RATIO_MAX = 0.65;

/** The statement that stores a block of a blob, where PostgreSQL compresses it only if that is worth its time. */
export function insertBlock(blobId: bigint, start: number, content: Buffer): Sql {
  const table = isCompressible(content) ? sql`blocks` : sql`incompressible_blocks`;
  return sql`INSERT INTO ${table} (blob_id, start_byte, content) VALUES (${blobId}, ${start}, ${content})`;
}

/** Whether samples of the bytes say so. */
function isCompressible(bytes: Buffer): boolean {
  const sampled = sample(bytes);
  return deflateRawSync(sampled, OPTIONS).byteLength <= RATIO_MAX * sampled.byteLength;
}

function sample(bytes: Buffer): Buffer {
  if (bytes.byteLength <= SAMPLES * SAMPLE_BYTES) return bytes;
  const step = (bytes.byteLength - SAMPLE_BYTES) / (SAMPLES - 1);
  const starts = Array.from({ length: SAMPLES }, (_, i) => Math.floor(i * step));
  return Buffer.concat(starts.map((start) => bytes.subarray(start, start + SAMPLE_BYTES)));
}
