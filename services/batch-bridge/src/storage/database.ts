import { type Database as DatabaseOf, openDatabase as open } from '@tally/service-kit';
import type { PrismaClient } from '../generated/prisma/client.js';

/** This service's database. */
export type Database = DatabaseOf<PrismaClient>;

export function openDatabase(url: string, connectionsMax: number): Database {
  return open<PrismaClient>({
    url,
    connectionsMax,
    async loadClient(pool) {
      const { PrismaPg } = await import('@prisma/adapter-pg');
      const { PrismaClient } = await import('../generated/prisma/client.js');
      return new PrismaClient({ adapter: new PrismaPg(pool) });
    },
  });
}
