import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { passwordResetRequest } from '../../schemas/session.js';

/** POST /auth/password-reset: a link to a new password by mail. */
export const requestPasswordReset = defineRoute({
  method: 'POST',
  path: '/auth/password-reset',
  auth: 'none',
  summary: 'Ask for a link to a new password',
  description:
    'The link is mailed to the confirmed address of the local user. The answer is the same, and takes equally long, whether or not there is such a user.',
  body: passwordResetRequest,
  responses: {
    202: { description: 'A link is on its way, if there is such a user with an address', schema: messageResponse },
    429: { description: 'Too many requests for this name, or from this address' },
  },
  handle: async ({ body: { username }, remoteAddress, call }, { auth }) => {
    await auth.requestPasswordReset({ username, remoteAddress }, call);
    return answer({ message: 'If there is such a user with a confirmed address, a link is on its way' }, 202);
  },
});
