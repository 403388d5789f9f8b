import { PrismaPg } from '@prisma/adapter-pg';
import { orUnavailable } from '@tally/service-kit';
import { PrismaClient } from '../generated/prisma/client.js';

/** The database; faults of the connection become SERVICE_UNAVAILABLE. */
export type Database = ReturnType<typeof openDatabase>;

/** How the database is reached. */
export interface DatabaseOptions {
  /** postgresql:// URL. */
  readonly url: string;
  readonly connectionsMax: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** Opens the database; connections are made when they are needed. */
export function openDatabase({ url, connectionsMax }: DatabaseOptions) {
  const adapter = new PrismaPg({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  return new PrismaClient({ adapter }).$extends({
    query: { $allOperations: ({ args, query }) => orUnavailable(() => query(args)) },
  });
}

/** What statements of a transaction run on. */
type Transaction = Omit<Database, '$transaction' | '$connect' | '$disconnect' | '$on' | '$use' | '$extends'>;

/** All or nothing. */
export function inTransaction<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return orUnavailable(() => db.$transaction(work));
}
