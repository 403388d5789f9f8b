import { sql } from '@tally/service-kit';
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
      const taken = await db.row(sql<WindowRow>`
        INSERT INTO throttles AS t (scope, subject, attempt_count, window_ends_at)
        VALUES (${scope}, ${subject}, 1, ${endsAt})
        ON CONFLICT (scope, subject) DO UPDATE SET
          attempt_count = CASE WHEN t.window_ends_at <= ${now} THEN 1 ELSE t.attempt_count + 1 END,
          window_ends_at = CASE WHEN t.window_ends_at <= ${now} THEN EXCLUDED.window_ends_at ELSE t.window_ends_at END
        WHERE t.window_ends_at <= ${now} OR t.attempt_count < ${attemptsMax}
        RETURNING window_ends_at`);
      if (taken !== undefined) return { isGranted: true, windowEndsAt: taken.window_ends_at };
      const full = await db.row(
        sql<WindowRow>`SELECT window_ends_at FROM throttles WHERE scope = ${scope} AND subject = ${subject}`,
      );
      return { isGranted: false, windowEndsAt: full?.window_ends_at ?? now };
    },
    async giveBack(scope, subject, windowEndsAt) {
      await db.run(sql`
        UPDATE throttles SET attempt_count = attempt_count - 1
        WHERE scope = ${scope} AND subject = ${subject} AND window_ends_at = ${windowEndsAt} AND attempt_count > 0`);
    },
    async isKnownAddress(usernames, address, since) {
      const row = await db.row(sql`
        SELECT 1 FROM login_addresses JOIN users ON users.id = user_id
        WHERE username = ANY(${[...usernames]}) AND provider = 'local' AND address = ${address} AND last_login_at > ${since}`);
      return row !== undefined;
    },
    async saveKnownAddress(userId, address, now) {
      await db.run(sql`
        INSERT INTO login_addresses (user_id, address, last_login_at) VALUES (${userId}, ${address}, ${now})
        ON CONFLICT (user_id, address) DO UPDATE SET last_login_at = EXCLUDED.last_login_at`);
    },
    deleteExpired: (now, rowsMax) =>
      db.run(sql`
        DELETE FROM throttles WHERE (scope, subject) IN (
          SELECT scope, subject FROM throttles WHERE window_ends_at < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`),
    deleteKnownAddresses: (before, rowsMax) =>
      db.run(sql`
        DELETE FROM login_addresses WHERE (user_id, address) IN (
          SELECT user_id, address FROM login_addresses WHERE last_login_at < ${before}
          LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`),
  };
}
