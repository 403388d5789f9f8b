import { PrismaPg } from '@prisma/adapter-pg';
import { createPrismaClient, type Database as KitDatabase, openDatabase as open } from '@tally/service-kit';
import { PrismaClient } from '../generated/prisma/client.js';

/** This service's database, with its generated client on the same connections. */
export type Database = KitDatabase & { readonly client: PrismaClient };

/**
 * Every statement is planned once a connection, without a look at its values, and by indexes. Its plan is therefore right for any values,
 * and for a table that was empty then and has grown since: PostgreSQL plans anew only after it has analyzed the table, and the outbox is
 * empty whenever all tasks have run. Left alone, PostgreSQL plans statements with arrays each time, which takes longer than most of them
 * run, and it reads all of a table of a thousand rows, as it takes an array for ten rows. With costs that it counts for a table without
 * an index, it would compile a plan (jit). The settings are of these connections alone; what a report does is in docs/how-we-write-sql.md.
 */
const SERVER_SETTINGS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' };

/** Opens the database; connections are made when they are needed. */
export function openDatabase(url: string, connectionsMax: number): Database {
  const database = open({ url, connectionsMax, serverSettings: SERVER_SETTINGS });
  const client = createPrismaClient(
    database,
    (connections, options) => new PrismaClient({ adapter: new PrismaPg(connections), ...options }),
  );
  return Object.assign(database, { client });
}
