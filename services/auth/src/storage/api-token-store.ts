import { sql } from '@tally/service-kit';
import type { ApiTokenStore } from '../domain/ports.js';
import type { ApiToken, ApiTokenId, TokenScope } from '../domain/token/api-token.js';
import type { Database } from './database.js';
import { readUser, USER_COLUMNS, type UserRow } from './user-store.js';

interface ApiTokenRow {
  readonly token_id: ApiTokenId;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date | null;
  readonly is_ended_with_sessions: boolean;
}

const COLUMNS = sql`api_tokens.id AS token_id, name, scopes, api_tokens.created_at, expires_at, last_used_at,
  is_ended_with_sessions`;

function readApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.token_id,
    name: row.name,
    scopes: row.scopes as readonly TokenScope[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at ?? undefined,
    isEndedWithSessions: row.is_ended_with_sessions,
  };
}

/** API tokens in PostgreSQL. */
export function createApiTokenStore(db: Database): ApiTokenStore {
  return {
    async create(userId, token, tokenHash, perUserMax) {
      const rows = await db.run(sql`
        INSERT INTO api_tokens (id, user_id, name, token_hash, scopes, created_at, expires_at, is_ended_with_sessions)
        SELECT ${token.id}::uuid, ${userId}, ${token.name}, ${tokenHash}::bytea, ${token.scopes}::text[],
          ${token.createdAt}::timestamptz, ${token.expiresAt}::timestamptz, ${token.isEndedWithSessions}::boolean
        WHERE ${perUserMax}::int > (
          SELECT count(*) FROM api_tokens
          WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > ${token.createdAt})`);
      return rows === 1;
    },
    async list(userId, now) {
      const rows = await db.rows(sql<ApiTokenRow>`
        SELECT ${COLUMNS} FROM api_tokens WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > ${now}
        ORDER BY created_at DESC`);
      return rows.map(readApiToken);
    },
    async use(tokenHash, now) {
      const row = await db.row(sql<ApiTokenRow & UserRow>`
        UPDATE api_tokens SET last_used_at = date_trunc('minute', ${now}::timestamptz) FROM users
        WHERE token_hash = ${tokenHash} AND ended_at IS NULL AND expires_at > ${now} AND users.id = user_id
        RETURNING ${COLUMNS}, ${USER_COLUMNS}`);
      return row === undefined ? undefined : { token: readApiToken(row), owner: readUser(row) };
    },
    async end(id, userId, now) {
      const rows = await db.run(sql`
        UPDATE api_tokens SET ended_at = ${now}
        WHERE id = ${id} AND user_id = ${userId} AND ended_at IS NULL AND expires_at > ${now}`);
      return rows === 1;
    },
    async listEnded(after) {
      const rows = await db.rows(sql<{ readonly id: ApiTokenId }>`
        SELECT id FROM api_tokens WHERE ended_at > ${after}`);
      return rows.map(({ id }) => id);
    },
    deleteExpired: (before, rowsMax) =>
      db.run(sql`
        DELETE FROM api_tokens WHERE id IN (
          SELECT id FROM api_tokens WHERE ended_at < ${before} OR expires_at < ${before}
          LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`),
  };
}
