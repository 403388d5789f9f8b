import { randomFillSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import { BLOCK_BYTES } from '../../../src/storage/content-store.js';
import { type Database, openDatabase } from '../../../src/storage/database.js';
import { insertBlock } from '../../../src/storage/statements/insert-block.js';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase('services/results/prisma/migrations');
  db = openDatabase({ databaseUrl: database.url, databaseConnectionsMax: 1, uploadTimeoutMs: 30_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const NUMBERS = BLOCK_BYTES / Float64Array.BYTES_PER_ELEMENT;
/** Bins in a row that no particle reaches. */
const RUN = 20;

/** Numbers of 53 bits; of `share` of the runs all are zero. */
function gridWithZeros(share: number): Buffer {
  const words = randomFillSync(new Uint32Array(NUMBERS));
  const isZero = (bin: number) => (Math.floor(bin / RUN) * 0.618_033_988_75) % 1 < share;
  const numbers = Float64Array.from(words, (word, bin) => (isZero(bin) ? 0 : (1e-3 * (word + 1)) / 2 ** 32));
  return Buffer.from(numbers.buffer);
}

/** Where the blocks of a blob lie, and of those what PostgreSQL has compressed. */
async function store(contents: readonly Buffer[]) {
  const jobId = '20260101-000000-blocks';
  return db.transact(async (transaction) => {
    await transaction.run(sql`INSERT INTO jobs (job_id, owner_id, input_kind, notes, documents, content, content_bytes)
      VALUES (${jobId}, 1, 'editor', '[]', '[]', '', 0)`);
    await transaction.run(sql`INSERT INTO blobs (blob_id, job_id, size_bytes)
      VALUES (${7n}, ${jobId}, ${contents.length * BLOCK_BYTES})`);
    for (const [i, content] of contents.entries()) await transaction.run(insertBlock(7n, i * BLOCK_BYTES, content));
    return transaction.rows(sql<{ table: string; isCompressed: boolean; content: Buffer }>`
      SELECT tableoid::regclass::text AS table, pg_column_compression(content) IS NOT NULL AS "isCompressed", content
      FROM blocks WHERE blob_id = 7 ORDER BY start_byte`);
  });
}

describe('a block', () => {
  it('is given to PostgreSQL to compress where that saves a quarter, and only there', async () => {
    const text = Buffer.from('BEAMPOS 0.0 0.0 -1.5\nSTEPPING 0.05 0.005\n'.repeat(5_000)).subarray(0, BLOCK_BYTES);
    const contents = [0, 0.01, 0.05, 0.2, 0.5, 0.7, 0.95, 1]
      .map(gridWithZeros)
      .concat(text, randomFillSync(Buffer.alloc(BLOCK_BYTES)));
    const stored = await store(contents);
    expect(stored.map(({ table, isCompressed }) => [table, isCompressed])).toEqual([
      ...Array.from({ length: 4 }, () => ['incompressible_blocks', false]),
      ...Array.from({ length: 5 }, () => ['blocks', true]),
      ['incompressible_blocks', false],
    ]);
    expect(stored.every(({ content }, i) => content.equals(contents[i] ?? Buffer.alloc(0)))).toBe(true);
  });
});
