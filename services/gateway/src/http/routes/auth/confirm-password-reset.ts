import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { passwordResetConfirmation } from '../../schemas/session.js';

/** POST /auth/password-reset/confirm: a new password by a link. */
export const confirmPasswordReset = defineRoute({
  method: 'POST',
  path: '/auth/password-reset/confirm',
  auth: 'none',
  summary: 'Set a new password by a link',
  description:
    'A link works once, within an hour. Afterwards all sessions of the user have ended, and the tokens that end with them.',
  body: passwordResetConfirmation,
  responses: {
    200: { description: 'The password is set; log in with it', schema: messageResponse },
    429: { description: 'Too many attempts from this address' },
  },
  handle: async ({ body: { token, new_password: newPassword }, remoteAddress, call }, { auth }) => {
    await auth.confirmPasswordReset({ token, newPassword, remoteAddress }, call);
    return answer({ message: 'Password set' });
  },
});
