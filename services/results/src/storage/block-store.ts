import { z } from 'zod';
import { fail } from '../domain/errors.js';
import { Prisma } from '../generated/prisma/client.js';
import type { Database } from './database.js';

/** Where bytes lie in blocks, and the column that says whose they are. */
const BLOCK_TABLES = {
  input_blocks: 'document_id',
  task_page_blocks: 'page_id',
  page_blocks: 'page_id',
} as const;
export type BlockTable = keyof typeof BLOCK_TABLES;

/** A block is a message of a stream: nothing is cut or joined on its way out. */
const BLOCK_BYTES = 256 * 1024;
/** Bytes fetched or inserted by one statement. */
const STATEMENT_BYTES = 4 * BLOCK_BYTES;

const blockRows = z.array(z.object({ owner_id: z.bigint(), position: z.number(), content: z.instanceof(Uint8Array) }));

/** Writes the bytes of one owner as blocks; holds at most one statement's bytes. */
export class BlockWriter {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #position = 0;
  #sizeBytes = 0;

  constructor(
    private readonly db: Database,
    private readonly table: BlockTable,
    private readonly ownerId: bigint,
  ) {}

  async write(bytes: Uint8Array): Promise<void> {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.byteLength;
    if (this.#pendingBytes >= STATEMENT_BYTES) await this.#flush(false);
  }

  /** Writes what is left; returns the size of it all. */
  async end(): Promise<number> {
    await this.#flush(true);
    return this.#sizeBytes;
  }

  async #flush(isLast: boolean): Promise<void> {
    const joined = Buffer.concat(this.#pending, this.#pendingBytes);
    const usedBytes = isLast ? joined.byteLength : joined.byteLength - (joined.byteLength % BLOCK_BYTES);
    const rows: Prisma.Sql[] = [];
    for (let from = 0; from < usedBytes; from += BLOCK_BYTES) {
      const content = joined.subarray(from, Math.min(from + BLOCK_BYTES, usedBytes));
      rows.push(Prisma.sql`(${this.ownerId}, ${this.#position}, ${content})`);
      this.#position += 1;
    }
    this.#sizeBytes += usedBytes;
    const rest = joined.subarray(usedBytes);
    this.#pending = rest.byteLength === 0 ? [] : [rest];
    this.#pendingBytes = rest.byteLength;
    if (rows.length === 0) return;
    const { table, column } = namesOf(this.table);
    await this.db.$executeRaw`INSERT INTO ${table} (${column}, position, content) VALUES ${Prisma.join(rows)}`;
  }
}

/**
 * The blocks of one owner, a few at a time.
 * @throws ServiceError CHANGED_WHILE_READ when they have gone, wholly or from some point on
 */
export async function* readBlocks(
  db: Database,
  tableName: BlockTable,
  ownerId: bigint,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  const { table, column } = namesOf(tableName);
  const blocksMax = STATEMENT_BYTES / BLOCK_BYTES;
  for (let position = 0, leftBytes = sizeBytes; leftBytes > 0; position += blocksMax) {
    const rows = blockRows.parse(
      await db.$queryRaw`
        SELECT ${column} AS owner_id, position, content FROM ${table}
        WHERE ${column} = ${ownerId} AND position >= ${position} AND position < ${position + blocksMax}
        ORDER BY position`,
    );
    if (rows.length === 0) throw fail('CHANGED_WHILE_READ');
    for (const { content } of rows) {
      leftBytes -= content.byteLength;
      yield content;
    }
  }
}

/** How many owners of this size {@link readSmallBlocks} takes at once. */
export function countSmall(sizeBytes: number): number {
  return Math.max(1, Math.floor(STATEMENT_BYTES / Math.max(1, sizeBytes)));
}

/**
 * All blocks of several owners by one statement: only for as many as {@link countSmall} says.
 * @throws ServiceError CHANGED_WHILE_READ when those of one have gone
 */
export async function readSmallBlocks(
  db: Database,
  tableName: BlockTable,
  owners: readonly { readonly ownerId: bigint; readonly sizeBytes: number }[],
): Promise<Map<bigint, Uint8Array[]>> {
  const { table, column } = namesOf(tableName);
  const ids = owners.map(({ ownerId }) => ownerId);
  const rows = blockRows.parse(
    await db.$queryRaw`
      SELECT ${column} AS owner_id, position, content FROM ${table}
      WHERE ${column} = ANY(${ids}::bigint[]) ORDER BY ${column}, position`,
  );
  const blocks = new Map<bigint, Uint8Array[]>(ids.map((id) => [id, []]));
  for (const row of rows) blocks.get(row.owner_id)?.push(row.content);
  for (const { ownerId, sizeBytes } of owners) {
    const bytes = (blocks.get(ownerId) ?? []).reduce((sum, block) => sum + block.byteLength, 0);
    if (bytes !== sizeBytes) throw fail('CHANGED_WHILE_READ');
  }
  return blocks;
}

function namesOf(table: BlockTable) {
  return { table: Prisma.raw(table), column: Prisma.raw(BLOCK_TABLES[table]) };
}
