import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { SessionStore } from '../ports.js';
import { hashRefreshToken } from './session.js';
import { readSessionId, type SessionId } from './session-id.js';

/** What {@link deleteSession} needs. */
export interface DeleteSessionPorts {
  readonly sessions: SessionStore;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Ends a session of the user. One that has ended, is another user's or never was, is left as it is. Safe to repeat. */
export async function deleteSession(
  { sessions, audit, clock }: DeleteSessionPorts,
  userId: bigint,
  sessionId: string,
): Promise<void> {
  const id = readSessionId(sessionId);
  if (id === undefined) return;
  if (await sessions.end(id, userId, clock.now())) audit('auth.session.ended', { userId, sessionId: id });
}

/**
 * Ends the session of a refresh token: who holds it needs no access token for that.
 * @throws ServiceError SESSION_INVALID when the token is unknown or expired, or its session has ended
 */
export async function deleteSessionByRefreshToken(
  { sessions, audit, clock }: DeleteSessionPorts,
  refreshToken: string,
): Promise<SessionId> {
  const ended = await sessions.endByRefreshToken(hashRefreshToken(refreshToken), clock.now());
  if (ended === undefined) throw fail('SESSION_INVALID');
  audit('auth.session.ended', { userId: ended.userId, sessionId: ended.id });
  return ended.id;
}

/** Ends every session of the user, and the API tokens that he made to end with them. Safe to repeat. @returns how many sessions */
export async function deleteAllSessions(
  { sessions, audit, clock }: DeleteSessionPorts,
  userId: bigint,
): Promise<number> {
  const count = await sessions.endAll(userId, clock.now());
  audit('auth.session.all_ended', { userId, count });
  return count;
}
