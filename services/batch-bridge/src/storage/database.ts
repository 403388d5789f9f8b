import { PrismaPg } from '@prisma/adapter-pg';
import { orUnavailable } from '@tally/service-kit';
import type { z } from 'zod';
import { Prisma, PrismaClient } from '../generated/prisma/client.js';

export { Prisma };

/** What statements run on: the database itself, or a transaction. */
export type Statements = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/** This service's database. Faults of the connection become SERVICE_UNAVAILABLE: the caller may try again. */
export interface Database {
  /** One statement, or several that need not belong together. */
  run<T>(work: (statements: Statements) => Promise<T>): Promise<T>;
  /** All or nothing, READ COMMITTED. */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>;
  /** Resolves when the database answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 3_000;
/** Longest statement: a list of clusters takes milliseconds. */
const STATEMENT_TIMEOUT_MS = 10_000;
const TRANSACTION_TIMEOUT_MS = 15_000;

export function openDatabase(url: string, connectionsMax: number): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter });
  return {
    run: (work) => orUnavailable(() => work(prisma)),
    transact: (work) =>
      orUnavailable(() => prisma.$transaction(work, { maxWait: CONNECT_TIMEOUT_MS, timeout: TRANSACTION_TIMEOUT_MS })),
    check: () =>
      orUnavailable(async () => {
        await prisma.$queryRaw`SELECT 1`;
      }),
    close: () => prisma.$disconnect(),
  };
}

/** Rows of a query, each typed by `row`. */
export async function queryRows<T>(statements: Statements, row: z.ZodType<T>, sql: Prisma.Sql): Promise<T[]> {
  const rows: unknown = await statements.$queryRaw(sql);
  return row.array().parse(rows);
}
