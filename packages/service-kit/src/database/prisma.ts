import type { ConnectionPool, Database } from './database.js';
import { orUnavailable } from './fault.js';
import { prepare, type Sql } from './sql.js';

/** What a Prisma client is made with besides its driver adapter. */
export interface PrismaOptions {
  readonly transactionOptions: { readonly maxWait: number; readonly timeout: number };
}

/** Milliseconds that a transaction may wait for a connection, and take. */
const OPTIONS: PrismaOptions = { transactionOptions: { maxWait: 10_000, timeout: 30_000 } };

interface AnyClient {
  $extends(extension: object): AnyClient;
  $transaction(...given: never[]): Promise<unknown>;
}

/** What Prisma gives to an extension of all operations. */
interface Operation {
  readonly args: unknown;
  readonly query: (args: unknown) => Promise<unknown>;
}

/**
 * The generated Prisma client on the connections of a database, for ordinary reads and writes. Its faults that may pass become
 * SERVICE_UNAVAILABLE, as those of statements do. It holds nothing that had to be closed.
 */
export function createPrismaClient<Client extends object>(
  { connections }: Pick<Database, 'connections'>,
  create: (connections: ConnectionPool, options: PrismaOptions) => Client,
): Client {
  const client = create(connections, OPTIONS) as unknown as AnyClient;
  const operations = client.$extends({
    query: { $allOperations: ({ args, query }: Operation) => orUnavailable(() => query(args)) },
  });
  // BEGIN and COMMIT are no operations
  return operations.$extends({
    client: { $transaction: (...given: never[]) => orUnavailable(() => operations.$transaction(...given)) },
  }) as unknown as Client;
}

/** Runs a statement that changes or locks, in a transaction of a client. @returns number of rows */
export function runIn(
  transaction: { $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number> },
  statement: Sql,
): Promise<number> {
  const { text, values } = prepare(statement);
  return transaction.$executeRawUnsafe(text, ...values);
}
