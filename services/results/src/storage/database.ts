import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.js';

export type { PrismaClient } from '../generated/prisma/client.js';
/** What statements need: the database itself or a transaction. */
export type Database = Prisma.TransactionClient;

/** How the database is reached. */
export interface DatabaseOptions {
  /** postgresql:// URL. */
  readonly url: string;
  readonly connectionsMax: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Deleting a job takes all its blocks along. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** Opens the database; connections are made when they are needed. */
export function openDatabase({ url, connectionsMax }: DatabaseOptions): PrismaClient {
  const adapter = new PrismaPg({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  return new PrismaClient({ adapter });
}

/** How long an upload may hold its transaction, and wait for a connection. */
export interface UploadTimes {
  readonly uploadTimeoutMs: number;
}

/** Runs an upload in one transaction: what it wrote is there whole, or not at all. */
export function inUpload<T>(
  db: PrismaClient,
  { uploadTimeoutMs }: UploadTimes,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return db.$transaction(work, { timeout: uploadTimeoutMs, maxWait: 2 * CONNECT_TIMEOUT_MS });
}
