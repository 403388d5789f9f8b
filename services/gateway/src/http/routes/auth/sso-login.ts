import { defineRoute } from '../../route.js';
import { loginResponse, ssoLogin } from '../../schemas/session.js';
import { SESSION_COOKIE_HEADERS, sessionAnswer } from './session-answer.js';

/** POST /auth/sso: a session for whoever the realm's token names. */
export const loginWithSso = defineRoute({
  method: 'POST',
  path: '/auth/sso',
  auth: 'none',
  summary: 'Log in with a token of the single sign-on realm',
  body: ssoLogin,
  responses: {
    202: { description: 'Logged in; sets both cookies', schema: loginResponse, headers: SESSION_COOKIE_HEADERS },
    401: { description: 'The token is refused' },
    403: { description: 'Single sign-on is not configured here' },
    409: { description: 'The user name belongs to another account' },
    500: { description: 'The realm cannot be asked' },
  },
  handle: async ({ body, remoteAddress, call }, services) => {
    const { session } = await services.auth.createSsoSession({ ssoToken: body.sso_token, remoteAddress }, call);
    return sessionAnswer(session, services);
  },
});
