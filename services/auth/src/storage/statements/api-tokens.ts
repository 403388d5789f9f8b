import { type Sql, sql } from '@tally/service-kit';
import type { ApiToken } from '../../generated/prisma/client.js';
import type { UserRow } from '../user-store.js';

/** A token of a user to be kept. */
export interface NewApiToken
  extends Pick<
    ApiToken,
    'id' | 'userId' | 'name' | 'tokenHash' | 'scopes' | 'createdAt' | 'expiresAt' | 'isEndedWithSessions'
  > {}

/** Keeps a token, unless its user has `perUserMax` valid ones. One row: kept. */
export const createApiToken = (token: NewApiToken, perUserMax: number): Sql => sql`
  INSERT INTO api_tokens (id, user_id, name, token_hash, scopes, created_at, expires_at, is_ended_with_sessions)
  SELECT ${token.id}::uuid, ${token.userId}, ${token.name}, ${token.tokenHash}::bytea, ${token.scopes}::text[],
    ${token.createdAt}::timestamptz, ${token.expiresAt}::timestamptz, ${token.isEndedWithSessions}::boolean
  WHERE ${perUserMax}::int > (
    SELECT count(*) FROM api_tokens
    WHERE user_id = ${token.userId} AND ended_at IS NULL AND expires_at > ${token.createdAt})`;

/** A token, and columns of its owner. */
export interface OwnedTokenRow extends Omit<ApiToken, 'userId' | 'tokenHash' | 'endedAt'> {
  readonly userId: bigint;
  readonly username: UserRow['username'];
  readonly provider: UserRow['provider'];
  readonly displayName: UserRow['displayName'];
}

/** Notes the minute in which a valid token is used, and gives it with its owner: one statement for every request with a token. */
export const useApiToken = (tokenHash: Uint8Array, now: Date): Sql<OwnedTokenRow> => sql<OwnedTokenRow>`
  UPDATE api_tokens t SET last_used_at = date_trunc('minute', ${now}::timestamptz) FROM users u
  WHERE t.token_hash = ${tokenHash} AND t.ended_at IS NULL AND t.expires_at > ${now} AND u.id = t.user_id
    AND u.blocked_at IS NULL AND u.deleted_at IS NULL
  RETURNING t.id, t.name, t.scopes, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
    t.last_used_at AS "lastUsedAt", t.is_ended_with_sessions AS "isEndedWithSessions",
    u.id AS "userId", u.username, u.provider, u.display_name AS "displayName"`;

/** Tokens that have ended after a moment: every copy of the gateway asks once a second. */
export const listEndedApiTokens = (after: Date): Sql<Pick<ApiToken, 'id'>> => sql<Pick<ApiToken, 'id'>>`
  SELECT id FROM api_tokens WHERE ended_at > ${after}`;
