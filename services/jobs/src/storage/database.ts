import { PrismaPg } from '@prisma/adapter-pg';
import { kitError } from '@tally/service-kit';
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
/** Longest statement: a page of jobs or 1000 tasks take milliseconds. */
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

/** The only row of a query, or undefined when there is none. */
export async function queryRow<T>(statements: Statements, row: z.ZodType<T>, sql: Prisma.Sql): Promise<T | undefined> {
  return (await queryRows(statements, row, sql))[0];
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw isPassing(cause) ? kitError('SERVICE_UNAVAILABLE', { cause }) : cause;
  }
}

/** Prisma's codes for a database that cannot be reached, a pool or transaction that was not had in time, a deadlock. */
const PASSING_PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);
/** PostgreSQL's classes 08 connection, 40 rollback, 53 resources, 57 operator intervention, 55P03 lock not available. */
const PASSING_SQLSTATE = /^(?:08|40|53|57)|^55P03$/;
const PASSING_SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN']);
const PASSING_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether the same call may succeed later, looking through the layers of Prisma, its adapter and pg. */
function isPassing(err: unknown, depth = 0): boolean {
  if (typeof err !== 'object' || err === null || depth > 5) return false;
  const { code, originalCode, message, cause, meta, driverAdapterError } = err as Record<string, unknown>;
  for (const word of [code, originalCode]) {
    if (typeof word !== 'string') continue;
    if (
      PASSING_PRISMA.has(word) ||
      PASSING_SOCKET.has(word) ||
      (/^[0-9A-Z]{5}$/.test(word) && PASSING_SQLSTATE.test(word))
    ) {
      return true;
    }
  }
  if (typeof message === 'string' && PASSING_TEXT.test(message)) return true;
  return [cause, meta, driverAdapterError].some((inner) => isPassing(inner, depth + 1));
}
