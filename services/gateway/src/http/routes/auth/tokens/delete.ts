import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { messageResponse } from '../../../schemas/message.js';
import { tokenQuery } from '../../../schemas/token.js';

/** DELETE /auth/tokens: ends an API token. */
export const deleteToken = defineRoute({
  method: 'DELETE',
  path: '/auth/tokens',
  auth: 'session',
  summary: 'End an API token',
  query: tokenQuery,
  responses: {
    200: { description: 'It works nowhere within 5 s', schema: messageResponse },
    404: { description: 'You have no such token' },
  },
  handle: async ({ query: { token_id: tokenId }, call }, { auth, ended }) => {
    await auth.deleteApiToken({ tokenId }, call);
    ended.add(tokenId);
    return answer({ message: 'Token ended' });
  },
});
