import { type Sql, sql } from '@tally/service-kit';
import type { NewSession } from '../../domain/ports.js';
import type { Session } from '../../generated/prisma/client.js';

/** Opens a session, unless its user is blocked or deleted; an operator who blocks him at this moment waits, and then ends it. One row: opened. */
export const createSession = (session: NewSession): Sql => sql`
  INSERT INTO sessions (id, user_id, refresh_token_hash, created_at, refresh_expires_at, access_expires_at, is_operator, is_teacher)
  SELECT ${session.id}::uuid, id, ${session.refreshTokenHash}::bytea, ${session.createdAt}::timestamptz,
    ${session.refreshExpiresAt}::timestamptz, ${session.accessExpiresAt}::timestamptz, ${session.claimedRole === 'operator'}::boolean,
    ${session.claimedRole === 'teacher'}::boolean
  FROM users WHERE id = ${session.userId} AND blocked_at IS NULL AND deleted_at IS NULL FOR SHARE`;

/** Notes that an access token of a live session lives until then. The latest of two at once counts. One row: it is live. */
export const extendAccess = (id: string, accessExpiresAt: Date): Sql => sql`
  UPDATE sessions SET access_expires_at = GREATEST(access_expires_at, ${accessExpiresAt})
  WHERE id = ${id} AND ended_at IS NULL`;

/** Ended sessions with access tokens that expire after a moment: every copy of the gateway asks once a second, for many rows. */
export const listEndedSessions = (accessExpiresAfter: Date): Sql<Pick<Session, 'id'>> => sql<Pick<Session, 'id'>>`
  SELECT id FROM sessions WHERE ended_at IS NOT NULL AND access_expires_at > ${accessExpiresAfter} ORDER BY ended_at`;
