import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { emailUpdate } from '../../schemas/user.js';

/** PUT /user/email: another address, or none. */
export const updateEmail = defineRoute({
  method: 'PUT',
  path: '/user/email',
  auth: 'session',
  summary: 'Change the e-mail address',
  description:
    'A link is mailed to the address, and the address is used once the link has been opened. Until then the present one stays.',
  body: emailUpdate,
  responses: {
    202: { description: 'A link is on its way; or the address is removed', schema: messageResponse },
    404: { description: 'The user does not exist any more' },
    429: { description: 'Too many mails; Retry-After has how long to wait' },
  },
  handle: async ({ body: { email }, call }, { auth }) => {
    await auth.updateEmail({ email }, call);
    return answer({ message: email.trim() === '' ? 'Address removed' : 'A link is on its way to the address' }, 202);
  },
});
