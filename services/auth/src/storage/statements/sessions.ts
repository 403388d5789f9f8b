import { type Sql, sql } from '@tally/service-kit';
import type { Session } from '../../generated/prisma/client.js';

/** Notes that an access token of a live session lives until then. The latest of two at once counts. One row: it is live. */
export const extendAccess = (id: string, accessExpiresAt: Date): Sql => sql`
  UPDATE sessions SET access_expires_at = GREATEST(access_expires_at, ${accessExpiresAt})
  WHERE id = ${id} AND ended_at IS NULL`;

/** Ended sessions with access tokens that expire after a moment: every copy of the gateway asks once a second, for many rows. */
export const listEndedSessions = (accessExpiresAfter: Date): Sql<Pick<Session, 'id'>> => sql<Pick<Session, 'id'>>`
  SELECT id FROM sessions WHERE ended_at IS NOT NULL AND access_expires_at > ${accessExpiresAfter} ORDER BY ended_at`;
