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

/**
 * Every statement is planned once a connection, without a look at its values: they find rows by an index whatever the values are,
 * and most cost less than their plan. Left alone, PostgreSQL plans those with arrays anew each time, as it takes an array for ten rows.
 */
const SERVER_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off' };

/** Opens the database; connections are made when they are needed. */
export function openDatabase(url: string, connectionsMax: number): Database {
  return open({ url, connectionsMax, loadClient, serverSettings: SERVER_SETTINGS });
}
