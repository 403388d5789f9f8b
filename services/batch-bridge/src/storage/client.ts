import { PrismaPg } from '@prisma/adapter-pg';
import { createPrismaClient, type Database } from '@tally/service-kit';
import { PrismaClient } from '../generated/prisma/client.js';

/** The generated client on the connections of the database. */
export function createClient(database: Database): PrismaClient {
  return createPrismaClient(
    database,
    (connections, options) => new PrismaClient({ adapter: new PrismaPg(connections), ...options }),
  );
}
