import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { ssoRealmResponse } from '../../schemas/session.js';

/** GET /auth/sso: where users sign in to the realm. */
export const getSsoRealm = defineRoute({
  method: 'GET',
  path: '/auth/sso',
  auth: 'none',
  summary: 'How to sign in through single sign-on',
  description: `With \`client_id\`: send a browser to \`authorization_endpoint\` (authorization code with PKCE) and what it brings back to
\`POST /auth/sso/code\`; or begin at \`device_authorization_endpoint\` (RFC 8628) and bring the access token to \`POST /auth/sso\`.`,
  responses: {
    200: { description: '`sso` is null where single sign-on is off', schema: ssoRealmResponse },
    500: { description: 'The realm cannot be asked' },
  },
  handle: async ({ call }, { auth }) => {
    const realm = await auth.getSsoRealm({}, call);
    const given = {
      issuer: realm.issuer,
      client_id: realm.clientId,
      scope: realm.scope,
      authorization_endpoint: realm.authorizationEndpoint,
      token_endpoint: realm.tokenEndpoint,
      device_authorization_endpoint: realm.deviceAuthorizationEndpoint,
    };
    const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    return answer({ message: 'Single sign-on', sso: realm.issuer === '' ? null : known });
  },
});
