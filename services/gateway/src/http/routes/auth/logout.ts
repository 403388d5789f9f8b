import { hasReason } from '@tally/service-kit';
import { fail } from '../../../errors.js';
import { answer } from '../../answer/answer.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { hasSessionCookie, readCookie } from '../../session/cookies.js';

/** Ends the session of each token that is valid: usually they are of one. @throws ServiceError TOKEN_MISSING, TOKEN_INVALID */
async function endSession({ session, cookies, call }: RouteRequest<'either'>, services: RouteServices) {
  const { auth, ended } = services;
  const ofRefreshToken = await endByRefreshToken(readCookie(cookies, 'refresh_token'), call, services);
  if (session !== undefined && session.sessionId !== ofRefreshToken) {
    await auth.deleteSession({ which: { $case: 'sessionId', value: session.sessionId } }, call);
    ended.add(session.sessionId);
  }
  if (session === undefined && ofRefreshToken === undefined) {
    throw fail(hasSessionCookie(cookies) ? 'TOKEN_INVALID' : 'TOKEN_MISSING');
  }
  return answer({ message: 'User logged out' });
}

/** The session that has ended; undefined: there is no token, or it is of none that lives. */
async function endByRefreshToken(
  refreshToken: string | undefined,
  call: RouteRequest['call'],
  { auth, ended }: RouteServices,
): Promise<string | undefined> {
  if (refreshToken === undefined) return undefined;
  try {
    const { sessionId } = await auth.deleteSession({ which: { $case: 'refreshToken', value: refreshToken } }, call);
    if (sessionId !== undefined) ended.add(sessionId);
    return sessionId;
  } catch (err) {
    if (hasReason(err, 'SESSION_INVALID')) return undefined;
    throw err;
  }
}

const logsOut = {
  method: 'DELETE',
  auth: 'either',
  description:
    'By whichever of the two tokens is valid: an access token that has expired does not keep anybody from logging out. ' +
    'Whatever the answer, both cookies are taken away from who sent one.',
  clearsCookies: true,
  responses: {
    200: {
      description: 'The session has ended; neither token works anywhere within 5 s',
      schema: messageResponse,
      headers: { 'Set-Cookie': 'Both cookies, empty, with `Max-Age=0`' },
    },
    401: { description: 'No token, or none that is valid' },
  },
  handle: endSession,
} as const;

/** DELETE /auth/logout: ends the session, in every copy of the gateway. */
export const logout = defineRoute({ ...logsOut, path: '/auth/logout', summary: 'Log out' });

/** DELETE /auth/sso: the same, under the path of single sign-on. */
export const logoutFromSso = defineRoute({
  ...logsOut,
  path: '/auth/sso',
  summary: 'Log out of a single sign-on session',
});
