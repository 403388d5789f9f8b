import { auth as contract } from '@tally/contracts';
import { answer } from '../../../answer/answer.js';
import { groupRole, required, source, toMember } from '../../../mappers.js';
import { defineRoute } from '../../../route.js';
import { memberCreation, memberResponse } from '../../../schemas/group.js';

/** POST /groups/members: one more member. */
export const createMember = defineRoute({
  method: 'POST',
  path: '/groups/members',
  auth: 'session',
  summary: 'Add a user to a group',
  body: memberCreation,
  responses: {
    201: { description: 'The member', schema: memberResponse },
    403: { description: 'You are no manager of it' },
    404: { description: 'You are in no such group, or there is no user of this name' },
    409: { description: 'The user is in the group, or the single sign-on provider decides on it' },
    429: { description: 'Too many members or groups, or too many names that nobody has' },
  },
  handle: async ({ body, call }, { auth, userGroups }) => {
    const provider =
      body.source === undefined ? contract.AuthProvider.AUTH_PROVIDER_UNSPECIFIED : source.toProto(body.source);
    const { group_id: groupId, username, role } = body;
    const { member } = await auth.createMember({ groupId, username, provider, role: groupRole.toProto(role) }, call);
    userGroups.forget();
    return answer({ message: 'Member added', ...toMember(required(member, 'member')) }, 201);
  },
});
