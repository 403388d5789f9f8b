import type { auth } from '@tally/contracts';
import { answer, type JsonAnswer } from '../../answer/answer.js';
import { required, toTimestamp } from '../../mappers.js';
import type { RouteServices } from '../../route.js';

/** Description of a login's Set-Cookie headers. */
export const SESSION_COOKIE_HEADERS = {
  'Set-Cookie': '`access_token` and `refresh_token`, each `HttpOnly; SameSite=None; Secure`',
};

/** 202 of a login: the expiry of both tokens, and the cookies that carry them. */
export function sessionAnswer(given: auth.Session | undefined, { cookies }: RouteServices): JsonAnswer {
  const session = required(given, 'session');
  return answer(
    {
      message: 'User logged in',
      access_exp: toTimestamp(session.accessExpiresAt, 'access_expires_at'),
      refresh_exp: toTimestamp(session.refreshExpiresAt, 'refresh_expires_at'),
    },
    202,
    { cookies: [cookies.set('access_token', session.accessToken), cookies.set('refresh_token', session.refreshToken)] },
  );
}
