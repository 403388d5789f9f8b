import {
  type ConnectionPool,
  type Database as KitDatabase,
  openDatabase as open,
  orUnavailable,
} from '@tally/service-kit';

async function loadClient(pool: ConnectionPool) {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { PrismaClient } = await import('../generated/prisma/client.js');
  return new PrismaClient({ adapter: new PrismaPg(pool) }).$extends({
    query: { $allOperations: ({ args, query }) => orUnavailable(() => query(args)) },
  });
}

/** The generated client, for what is not asked often; its faults that may pass are SERVICE_UNAVAILABLE, too. */
export type Client = Awaited<ReturnType<typeof loadClient>>;
/** This service's database. */
export type Database = KitDatabase<Client>;

/** Opens the database; connections are made when they are needed. */
export function openDatabase(url: string, connectionsMax: number): Database {
  return open({ url, connectionsMax, loadClient });
}
