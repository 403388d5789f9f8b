import { defineRoute } from '../../route.js';
import { loginResponse, ssoCode } from '../../schemas/session.js';
import { SESSION_COOKIE_HEADERS, sessionAnswer } from './session-answer.js';

/** POST /auth/sso/code: a session for whoever has signed in to the realm in this browser. */
export const loginWithSsoCode = defineRoute({
  method: 'POST',
  path: '/auth/sso/code',
  auth: 'none',
  summary: 'Log in with an authorization code of the single sign-on realm',
  body: ssoCode,
  responses: {
    202: { description: 'Logged in; sets both cookies', schema: loginResponse, headers: SESSION_COOKIE_HEADERS },
    401: { description: 'The realm refuses the code, or its token is refused' },
    403: { description: 'Single sign-on by a browser is not configured here' },
    409: { description: 'The user name belongs to another account' },
    500: { description: 'The realm cannot be asked' },
  },
  handle: async ({ body, remoteAddress, call }, services) => {
    const { code, code_verifier: codeVerifier, redirect_uri: redirectUri, nonce } = body;
    const request = { code, codeVerifier, redirectUri, nonce, remoteAddress };
    const { session } = await services.auth.createSsoSessionByCode(request, call);
    return sessionAnswer(session, services);
  },
});
