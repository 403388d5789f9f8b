import type { Statements } from '@tally/service-kit';
import type { LinkStore } from '../domain/ports.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { deleteExpiredLinks } from './statements/expired.js';

/** Links in PostgreSQL. */
export function createLinkStore(client: PrismaClient, db: Statements): LinkStore {
  return {
    async replace(link) {
      const { userId, purpose } = link;
      await client.$transaction([
        client.oneTimeLink.deleteMany({ where: { userId, purpose } }),
        client.oneTimeLink.createMany({ data: link }),
      ]);
    },
    async findLive(tokenHash, purpose, now) {
      const row = await client.oneTimeLink.findUnique({
        where: { tokenHash, purpose, expiresAt: { gt: now } },
        select: { userId: true },
      });
      return row?.userId;
    },
    deleteExpired: (now, rowsMax) => db.run(deleteExpiredLinks(now, rowsMax)),
  };
}
