import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { userUpdate } from '../../schemas/user.js';

/** POST /user/update: display name, or a local user's password. */
export const updateUser = defineRoute({
  method: 'POST',
  path: '/user/update',
  auth: 'session',
  summary: 'Change the profile',
  body: userUpdate,
  description: 'Unlike elsewhere an unknown member is refused: a misspelt change that does nothing looks done.',
  responses: {
    200: { description: 'Changed; a new password ends the other sessions', schema: messageResponse },
    401: { description: 'The current password is wrong' },
    404: { description: 'The user does not exist any more' },
    429: { description: 'Too many wrong current passwords' },
  },
  handle: async ({ session: { sessionId }, body, call }, { auth }) => {
    await auth.updateUser(
      {
        displayName: body.display_name,
        currentPassword: body.current_password,
        newPassword: body.new_password,
        sessionId,
      },
      call,
    );
    return answer({ message: 'User updated' });
  },
});
