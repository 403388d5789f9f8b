import { fail } from '../../../errors.js';
import { answer } from '../../answer/answer.js';
import { toTimestamp } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { refreshResponse } from '../../schemas/session.js';
import { readCookie } from '../../session/cookies.js';

/** GET /auth/refresh: a new access token for a live session. */
export const refreshSession = defineRoute({
  method: 'GET',
  path: '/auth/refresh',
  auth: 'refresh',
  summary: 'New access token',
  responses: {
    200: {
      description: 'Sets a new access_token cookie',
      schema: refreshResponse,
      headers: { 'Set-Cookie': '`access_token`, `HttpOnly; SameSite=None; Secure`' },
    },
    401: { description: 'No refresh token, or one that is unknown, expired or ended' },
  },
  handle: async ({ cookies: header, call }, { auth, cookies }) => {
    const refreshToken = readCookie(header, 'refresh_token');
    if (refreshToken === undefined) throw fail('TOKEN_MISSING');
    const { accessToken, accessExpiresAt } = await auth.createAccessToken({ refreshToken }, call);
    return answer({ message: 'Token refreshed', access_exp: toTimestamp(accessExpiresAt, 'access_expires_at') }, 200, {
      cookies: [cookies.set('access_token', accessToken)],
    });
  },
});
