import type { SessionStore } from '../domain/ports.js';
import type { SessionId } from '../domain/session-id.js';

import type { Database } from './database.js';
import { readUser, USER_COLUMNS } from './user-store.js';

/** Sessions in PostgreSQL. */
export function createSessionStore(db: Database): SessionStore {
  return {
    async create(session) {
      await db.session.create({ data: session, select: { id: true } });
    },
    async findLive(refreshTokenHash, now) {
      const row = await db.session.findUnique({
        where: { refreshTokenHash, endedAt: null, refreshExpiresAt: { gt: now } },
        select: { id: true, user: { select: USER_COLUMNS } },
      });
      return row === null ? undefined : { id: row.id as SessionId, user: readUser(row.user) };
    },
    async extendAccess(id, accessExpiresAt) {
      // GREATEST: copies' clocks differ, and the end of the youngest token is what counts
      const rows = await db.$executeRaw`
        UPDATE sessions SET access_expires_at = GREATEST(access_expires_at, ${accessExpiresAt})
        WHERE id = ${id}::uuid AND ended_at IS NULL`;
      return rows === 1;
    },
    async end(id, userId, now) {
      const { count } = await db.session.updateMany({ where: { id, userId, endedAt: null }, data: { endedAt: now } });
      return count === 1;
    },
    async listEnded(accessExpiresAfter) {
      const where = { endedAt: { not: null }, accessExpiresAt: { gt: accessExpiresAfter } };
      const rows = await db.session.findMany({ where, select: { id: true }, orderBy: { endedAt: 'asc' } });
      return rows.map(({ id }) => id as SessionId);
    },
    deleteExpired: (now, accessExpiredBefore, rowsMax) => db.$executeRaw`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions
        WHERE access_expires_at < ${accessExpiredBefore} AND (ended_at IS NOT NULL OR refresh_expires_at < ${now})
        LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`,
  };
}
