import type { Clock } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { SessionStore } from '../ports.js';
import type { AccessToken, AccessTokenIssuer } from './access-token.js';
import { hashRefreshToken } from './session.js';

/** What {@link createAccessToken} needs. */
export interface CreateAccessTokenPorts {
  readonly sessions: SessionStore;
  readonly accessTokens: AccessTokenIssuer;
  readonly clock: Clock;
}

/** Issues a new access token for the session of a refresh token. @throws ServiceError SESSION_INVALID */
export async function createAccessToken(
  { sessions, accessTokens, clock }: CreateAccessTokenPorts,
  refreshToken: string,
): Promise<AccessToken> {
  const now = clock.now();
  const session = await sessions.findLive(hashRefreshToken(refreshToken), now);
  if (session === undefined) throw fail('SESSION_INVALID');
  const access = await accessTokens.issue(session.user, session, now);
  // the row decides: a session that ended in between is listed as ended only as long as the tokens it knows of
  if (!(await sessions.extendAccess(session.id, access.expiresAt))) throw fail('SESSION_INVALID');
  return access;
}
