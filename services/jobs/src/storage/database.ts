import { createPrismaClient, type Database as KitDatabase, openDatabase as open } from '@tally/service-kit';

async function loadClient(database: KitDatabase) {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { PrismaClient } = await import('../generated/prisma/client.js');
  return createPrismaClient(database, (pool, options) => new PrismaClient({ adapter: new PrismaPg(pool), ...options }));
}

/** This service's database, with its generated client, which is loaded when first asked for. */
export type Database = KitDatabase & { client(): ReturnType<typeof loadClient> };

/**
 * Every statement is planned once a connection, without a look at its values, and by indexes: so its plan is right for any values, and
 * also when a table has grown since, if it names rows by their keys: of a join, PostgreSQL may read all of an index. Left alone,
 * PostgreSQL plans statements with arrays anew each time, as it takes an array for ten rows, which takes longer than most of them run;
 * and it reads all of a table of a thousand rows for that many. Compiling a plan (jit) would follow from the costs that it then counts
 * for a table without an index.
 */
const SERVER_SETTINGS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' };

/** Opens the database; connections are made when they are needed. */
export function openDatabase(url: string, connectionsMax: number): Database {
  const database = open({ url, connectionsMax, serverSettings: SERVER_SETTINGS });
  let client: ReturnType<typeof loadClient> | undefined;
  return Object.assign(database, {
    client: () => {
      client ??= loadClient(database);
      return client;
    },
  });
}
