import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { emailResponse } from '../../schemas/user.js';

/** GET /user/email: where the user is told things. */
export const getEmail = defineRoute({
  method: 'GET',
  path: '/user/email',
  auth: 'session',
  summary: 'E-mail address of the user',
  responses: { 200: { description: 'The confirmed address', schema: emailResponse } },
  handle: async ({ call }, { auth }) => {
    const { email, isMailing } = await auth.getEmail({}, call);
    return answer({ message: 'E-mail address', email: email ?? null, mail_available: isMailing });
  },
});
