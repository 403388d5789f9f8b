import { sql } from '@tally/service-kit';
import type { SessionStore } from '../domain/ports.js';
import type { SessionId } from '../domain/session/session-id.js';
import type { Database } from './database.js';
import { readUser, USER_COLUMNS, type UserRow } from './user-store.js';

/** Sessions in PostgreSQL. */
export function createSessionStore(db: Database): SessionStore {
  return {
    async create({ id, userId, refreshTokenHash, createdAt, refreshExpiresAt, accessExpiresAt }) {
      await db.run(sql`
        INSERT INTO sessions (id, user_id, refresh_token_hash, created_at, refresh_expires_at, access_expires_at)
        VALUES (${id}, ${userId}, ${refreshTokenHash}, ${createdAt}, ${refreshExpiresAt}, ${accessExpiresAt})`);
    },
    async findLive(refreshTokenHash, now) {
      const row = await db.row(sql<UserRow & { readonly session_id: SessionId }>`
        SELECT sessions.id AS session_id, ${USER_COLUMNS} FROM sessions JOIN users ON users.id = user_id
        WHERE refresh_token_hash = ${refreshTokenHash} AND ended_at IS NULL AND refresh_expires_at > ${now}`);
      return row === undefined ? undefined : { id: row.session_id, user: readUser(row) };
    },
    async extendAccess(id, accessExpiresAt) {
      // GREATEST: copies' clocks differ, and the end of the youngest token is what counts
      const rows = await db.run(sql`
        UPDATE sessions SET access_expires_at = GREATEST(access_expires_at, ${accessExpiresAt})
        WHERE id = ${id} AND ended_at IS NULL`);
      return rows === 1;
    },
    async end(id, userId, now) {
      const rows = await db.run(sql`
        UPDATE sessions SET ended_at = ${now} WHERE id = ${id} AND user_id = ${userId} AND ended_at IS NULL`);
      return rows === 1;
    },
    async endByRefreshToken(refreshTokenHash, now) {
      const row = await db.row(sql<{ readonly id: SessionId; readonly user_id: bigint }>`
        UPDATE sessions SET ended_at = ${now}
        WHERE refresh_token_hash = ${refreshTokenHash} AND ended_at IS NULL AND refresh_expires_at > ${now}
        RETURNING id, user_id`);
      return row === undefined ? undefined : { id: row.id, userId: row.user_id };
    },
    async endAll(userId, now) {
      const row = await db.row(sql<{ readonly count: bigint }>`
        WITH tokens AS (
          UPDATE api_tokens SET ended_at = ${now}
          WHERE user_id = ${userId} AND is_ended_with_sessions AND ended_at IS NULL),
        ended AS (
          UPDATE sessions SET ended_at = ${now} WHERE user_id = ${userId} AND ended_at IS NULL RETURNING id)
        SELECT count(*) AS count FROM ended`);
      return Number(row?.count ?? 0n);
    },
    async listLive(userId, now, rowsMax) {
      const rows = await db.rows(sql<{
        readonly id: SessionId;
        readonly created_at: Date;
        readonly refresh_expires_at: Date;
      }>`
        SELECT id, created_at, refresh_expires_at FROM sessions
        WHERE user_id = ${userId} AND ended_at IS NULL AND refresh_expires_at > ${now}
        ORDER BY created_at DESC LIMIT ${rowsMax}`);
      return rows.map((row) => ({ id: row.id, createdAt: row.created_at, expiresAt: row.refresh_expires_at }));
    },
    async listEnded(accessExpiresAfter) {
      const rows = await db.rows(sql<{ readonly id: SessionId }>`
        SELECT id FROM sessions WHERE ended_at IS NOT NULL AND access_expires_at > ${accessExpiresAfter}
        ORDER BY ended_at`);
      return rows.map(({ id }) => id);
    },
    deleteExpired: (now, accessExpiredBefore, rowsMax) =>
      db.run(sql`
        DELETE FROM sessions WHERE id IN (
          SELECT id FROM sessions
          WHERE access_expires_at < ${accessExpiredBefore} AND (ended_at IS NOT NULL OR refresh_expires_at < ${now})
          LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`),
  };
}
