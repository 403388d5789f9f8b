import { answer } from '../../../answer/answer.js';
import { groupRole } from '../../../mappers.js';
import { defineRoute } from '../../../route.js';
import { memberUpdate } from '../../../schemas/group.js';
import { messageResponse } from '../../../schemas/message.js';

/** PUT /groups/members: another role of a member. */
export const updateMember = defineRoute({
  method: 'PUT',
  path: '/groups/members',
  auth: 'session',
  summary: 'Change the role of a member',
  body: memberUpdate,
  responses: {
    200: { description: 'Changed; it holds everywhere within 5 s', schema: messageResponse },
    403: { description: 'You are no manager of the group' },
    404: { description: 'You are in no such group, or the user is not' },
    409: { description: 'The group would have no manager, or the single sign-on provider decides on it' },
  },
  handle: async ({ body, call }, { auth, userGroups }) => {
    const { group_id: groupId, user_id: userId, role } = body;
    await auth.updateMember({ groupId, userId: BigInt(userId), role: groupRole.toProto(role) }, call);
    userGroups.forget();
    return answer({ message: 'Role changed' });
  },
});
