import type { ThrottleStore } from '../domain/ports.js';
import type { Database } from './database.js';

interface WindowRow {
  readonly window_ends_at: Date;
}

/** Attempt counts in PostgreSQL: one row a subject, so that copies of the service count together. */
export function createThrottleStore(db: Database): ThrottleStore {
  return {
    async take({ scope, subject, attemptsMax, windowMs }, now) {
      const endsAt = new Date(now.getTime() + windowMs);
      // One statement: starts a window, or counts in the running one as long as there is room. No row: no room.
      const [taken] = await db.$queryRaw<WindowRow[]>`
        INSERT INTO throttles AS t (scope, subject, attempt_count, window_ends_at)
        VALUES (${scope}, ${subject}, 1, ${endsAt})
        ON CONFLICT (scope, subject) DO UPDATE SET
          attempt_count = CASE WHEN t.window_ends_at <= ${now} THEN 1 ELSE t.attempt_count + 1 END,
          window_ends_at = CASE WHEN t.window_ends_at <= ${now} THEN EXCLUDED.window_ends_at ELSE t.window_ends_at END
        WHERE t.window_ends_at <= ${now} OR t.attempt_count < ${attemptsMax}
        RETURNING window_ends_at`;
      if (taken !== undefined) return { isGranted: true, windowEndsAt: taken.window_ends_at };
      const row = await db.throttle.findUnique({
        where: { scope_subject: { scope, subject } },
        select: { windowEndsAt: true },
      });
      return { isGranted: false, windowEndsAt: row?.windowEndsAt ?? now };
    },
    async giveBack(scope, subject, windowEndsAt) {
      await db.throttle.updateMany({
        where: { scope, subject, windowEndsAt, attemptCount: { gt: 0 } },
        data: { attemptCount: { decrement: 1 } },
      });
    },
    async isKnownAddress(username, address, since) {
      const row = await db.loginAddress.findFirst({
        where: { address, lastLoginAt: { gt: since }, user: { username, provider: 'local' } },
        select: { userId: true },
      });
      return row !== null;
    },
    async saveKnownAddress(userId, address, now) {
      await db.loginAddress.upsert({
        where: { userId_address: { userId, address } },
        create: { userId, address, lastLoginAt: now },
        update: { lastLoginAt: now },
        select: { userId: true },
      });
    },
    deleteExpired: (now, rowsMax) => db.$executeRaw`
      DELETE FROM throttles WHERE (scope, subject) IN (
        SELECT scope, subject FROM throttles WHERE window_ends_at < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`,
    deleteKnownAddresses: (before, rowsMax) => db.$executeRaw`
      DELETE FROM login_addresses WHERE (user_id, address) IN (
        SELECT user_id, address FROM login_addresses WHERE last_login_at < ${before}
        LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`,
  };
}
