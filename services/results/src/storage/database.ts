import { PrismaPg } from '@prisma/adapter-pg';
import { orUnavailable } from '@tally/service-kit';
import { PrismaClient } from '../generated/prisma/client.js';

/** The database; faults of the connection become SERVICE_UNAVAILABLE. */
export type DatabaseClient = ReturnType<typeof openDatabase>;
/** What statements run on: the database itself, or a transaction. */
export type Database = Omit<DatabaseClient, '$transaction' | '$connect' | '$disconnect' | '$on' | '$use' | '$extends'>;

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

/** All or nothing. @param timeoutMs - longest time it may take */
export function inTransaction<T>(
  db: DatabaseClient,
  timeoutMs: number,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return orUnavailable(() => db.$transaction(work, { timeout: timeoutMs, maxWait: 2 * CONNECT_TIMEOUT_MS }));
}

/** How long an upload may hold its transaction. */
export interface UploadTimes {
  readonly uploadTimeoutMs: number;
}
