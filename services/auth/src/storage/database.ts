import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.js';

export type { PrismaClient } from '../generated/prisma/client.js';

/** How the database is reached. */
export interface DatabaseOptions {
  /** postgresql:// URL. */
  readonly url: string;
  readonly connectionsMax: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

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
