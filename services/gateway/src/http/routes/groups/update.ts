import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { groupUpdate } from '../../schemas/group.js';
import { messageResponse } from '../../schemas/message.js';

/** PUT /groups: another name. */
export const updateGroup = defineRoute({
  method: 'PUT',
  path: '/groups',
  auth: 'session',
  summary: 'Rename a group',
  body: groupUpdate,
  responses: {
    200: { description: 'Renamed', schema: messageResponse },
    403: { description: 'You are no manager of it' },
    404: { description: 'You are in no such group' },
    409: { description: 'The single sign-on provider decides on this group' },
  },
  handle: async ({ body: { group_id: groupId, name }, call }, { auth, userGroups }) => {
    await auth.updateGroup({ groupId, name }, call);
    userGroups.forget();
    return answer({ message: 'Group renamed' });
  },
});
