import { answer } from '../../../answer/answer.js';
import { toApiToken } from '../../../mappers.js';
import { defineRoute } from '../../../route.js';
import { tokensResponse } from '../../../schemas/token.js';

/** GET /auth/tokens: the user's valid API tokens. */
export const listTokens = defineRoute({
  method: 'GET',
  path: '/auth/tokens',
  auth: 'session',
  summary: 'List your API tokens',
  responses: { 200: { description: 'Those that are valid, the newest first', schema: tokensResponse } },
  handle: async ({ call }, { auth }) => {
    const { tokens } = await auth.listApiTokens({}, call);
    return answer({ message: 'Your API tokens', tokens: tokens.map(toApiToken) });
  },
});
