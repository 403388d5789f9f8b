import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { emailConfirmation, emailConfirmedResponse } from '../../schemas/session.js';

/** POST /auth/email/confirm: an address by a link. */
export const confirmEmail = defineRoute({
  method: 'POST',
  path: '/auth/email/confirm',
  auth: 'none',
  summary: 'Confirm an address by a link',
  description: 'A link works once, within a day. Its address becomes that of its user.',
  body: emailConfirmation,
  responses: {
    200: { description: 'The address is confirmed', schema: emailConfirmedResponse },
    429: { description: 'Too many attempts from this address' },
  },
  handle: async ({ body: { token }, remoteAddress, call }, { auth }) => {
    const { email } = await auth.confirmEmail({ token, remoteAddress }, call);
    return answer({ message: 'Address confirmed', email });
  },
});
