import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { memberQuery } from '../../../schemas/group.js';
import { messageResponse } from '../../../schemas/message.js';

/** DELETE /groups/members: the end of a membership. */
export const deleteMember = defineRoute({
  method: 'DELETE',
  path: '/groups/members',
  auth: 'session',
  summary: 'Remove a member, or leave a group',
  query: memberQuery,
  responses: {
    200: { description: 'Removed; the group opens nothing for this user within 5 s', schema: messageResponse },
    403: { description: 'You are no manager of the group' },
    404: { description: 'You are in no such group, or the user is not' },
    409: { description: 'The group would have no manager, or the single sign-on provider decides on it' },
  },
  handle: async ({ session, query, call }, { auth, userGroups }) => {
    const userId = query.user_id === undefined ? session.userId : BigInt(query.user_id);
    await auth.deleteMember({ groupId: query.group_id, userId }, call);
    userGroups.forget();
    return answer({ message: userId === session.userId ? 'You have left the group' : 'Member removed' });
  },
});
