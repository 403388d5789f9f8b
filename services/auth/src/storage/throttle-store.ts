import type { Statements } from '@tally/service-kit';
import type { ThrottleStore } from '../domain/ports.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { deleteExpiredThrottles, deleteForgottenAddresses } from './statements/expired.js';
import { takeAttempt } from './statements/throttles.js';

/** Attempt counts in PostgreSQL: one row a subject, so that copies of the service count together. */
export function createThrottleStore(client: PrismaClient, db: Statements): ThrottleStore {
  return {
    async take(count, now) {
      const taken = await db.row(takeAttempt(count, now));
      if (taken !== undefined) return { isGranted: true, windowEndsAt: taken.windowEndsAt };
      const { scope, subject } = count;
      const full = await client.throttle.findUnique({ where: { scope_subject: { scope, subject } } });
      return { isGranted: false, windowEndsAt: full?.windowEndsAt ?? now };
    },
    async giveBack(scope, subject, windowEndsAt) {
      await client.throttle.updateMany({
        where: { scope, subject, windowEndsAt, attemptCount: { gt: 0 } },
        data: { attemptCount: { decrement: 1 } },
      });
    },
    async isKnownAddress(username, address, since) {
      const where = { user: { username, provider: 'local' }, address, lastLoginAt: { gt: since } };
      return (await client.loginAddress.findFirst({ where, select: { userId: true } })) !== null;
    },
    async saveKnownAddress(userId, address, lastLoginAt) {
      await client.loginAddress.upsert({
        where: { userId_address: { userId, address } },
        create: { userId, address, lastLoginAt },
        update: { lastLoginAt },
        select: { userId: true },
      });
    },
    deleteExpired: (now, rowsMax) => db.run(deleteExpiredThrottles(now, rowsMax)),
    deleteKnownAddresses: (before, rowsMax) => db.run(deleteForgottenAddresses(before, rowsMax)),
  };
}
