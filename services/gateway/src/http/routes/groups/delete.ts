import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { groupQuery } from '../../schemas/group.js';
import { messageResponse } from '../../schemas/message.js';

/** DELETE /groups: the end of a group. */
export const deleteGroup = defineRoute({
  method: 'DELETE',
  path: '/groups',
  auth: 'session',
  summary: 'Delete a group',
  description: 'Its jobs and projects stay with their owners, and its members lose what they saw through it.',
  query: groupQuery,
  responses: {
    200: { description: 'Deleted; it opens nothing within 5 s', schema: messageResponse },
    403: { description: 'You are no manager of it' },
    404: { description: 'You are in no such group' },
    409: { description: 'The single sign-on provider decides on this group' },
  },
  handle: async ({ query: { group_id: groupId }, call }, { auth, userGroups }) => {
    await auth.deleteGroup({ groupId }, call);
    userGroups.forget();
    return answer({ message: 'Group deleted' });
  },
});
