import { answer } from '../../../answer/answer.js';
import { required, toApiToken, tokenScope } from '../../../mappers.js';
import { defineRoute } from '../../../route.js';
import { createdTokenResponse, newToken } from '../../../schemas/token.js';

const DEFAULT_LIFETIME_MS = 90 * 24 * 60 * 60_000;

/** POST /auth/tokens: a token for scripts. */
export const createToken = defineRoute({
  method: 'POST',
  path: '/auth/tokens',
  auth: 'session',
  summary: 'Make an API token for scripts',
  description:
    'Scripts send it as `Authorization: Bearer tly_…`; no cookie is then looked at. A token acts for you within its scopes, ' +
    'and never on accounts, sessions or tokens.',
  body: newToken,
  responses: {
    201: { description: 'The token, shown this once', schema: createdTokenResponse },
    429: { description: 'You have too many tokens' },
  },
  handle: async ({ body, call }, { auth }) => {
    const expiresAt = body.expires_at === undefined ? Date.now() + DEFAULT_LIFETIME_MS : body.expires_at;
    const { text, token } = await auth.createApiToken(
      {
        name: body.name,
        scopes: body.scopes.map(tokenScope.toProto),
        expiresAt: new Date(expiresAt),
        isEndedWithSessions: body.ends_with_sessions,
      },
      call,
    );
    return answer({ message: 'Token created', ...toApiToken(required(token, 'token')), token: text }, 201);
  },
});
