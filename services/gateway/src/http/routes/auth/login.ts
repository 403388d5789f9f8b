import { defineRoute } from '../../route.js';
import { credentials, loginResponse } from '../../schemas/session.js';
import { SESSION_COOKIE_HEADERS, sessionAnswer } from './session-answer.js';

/** POST /auth/login: a local user's session. */
export const login = defineRoute({
  method: 'POST',
  path: '/auth/login',
  auth: 'none',
  summary: 'Log in with user name and password',
  body: credentials,
  responses: {
    202: { description: 'Logged in; sets both cookies', schema: loginResponse, headers: SESSION_COOKIE_HEADERS },
    401: { description: 'Unknown user or wrong password' },
    429: { description: 'Too many attempts; Retry-After has how long to wait' },
  },
  handle: async ({ body: { username, password }, remoteAddress, call }, services) => {
    const { session } = await services.auth.createSession({ username, password, remoteAddress }, call);
    return sessionAnswer(session, services);
  },
});
