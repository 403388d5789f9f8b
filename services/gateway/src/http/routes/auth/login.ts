import { defineRoute } from '../../route.js';
import { credentials, loginResponse } from '../../schemas/session.js';
import { readDeviceCookie } from '../../session/cookies.js';
import { SESSION_COOKIE_HEADERS, sessionAnswer } from './session-answer.js';

/** Description of the Set-Cookie headers. */
const LOGIN_COOKIE_HEADERS = {
  'Set-Cookie': `${SESSION_COOKIE_HEADERS['Set-Cookie']}; and \`device_token\`, by which later logins of the user here go first`,
};

/** POST /auth/login: a local user's session. */
export const login = defineRoute({
  method: 'POST',
  path: '/auth/login',
  auth: 'none',
  summary: 'Log in with user name and password',
  body: credentials,
  responses: {
    202: { description: 'Logged in; sets the cookies', schema: loginResponse, headers: LOGIN_COOKIE_HEADERS },
    401: { description: 'Unknown user or wrong password' },
    429: { description: 'Too many attempts; Retry-After has how long to wait' },
  },
  handle: async ({ body: { username, password }, remoteAddress, cookies, call }, services) => {
    const request = { username, password, remoteAddress, deviceToken: readDeviceCookie(cookies) };
    const { session, deviceToken, deviceExpiresAt } = await services.auth.createSession(request, call);
    const answer = sessionAnswer(session, services);
    if (deviceToken === '' || deviceExpiresAt === undefined) return answer;
    const device = services.cookies.setDevice(deviceToken, deviceExpiresAt, new Date());
    return { ...answer, cookies: [...(answer.cookies ?? []), device] };
  },
});
