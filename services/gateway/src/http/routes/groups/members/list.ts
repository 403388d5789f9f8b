import { answer } from '../../../answer/answer.js';
import { toMember } from '../../../mappers.js';
import { defineRoute } from '../../../route.js';
import { groupQuery, membersResponse } from '../../../schemas/group.js';

/** GET /groups/members: who is in a group. */
export const listMembers = defineRoute({
  method: 'GET',
  path: '/groups/members',
  auth: 'session',
  summary: 'List who is in a group',
  query: groupQuery,
  responses: {
    200: { description: 'Managers first, then by name', schema: membersResponse },
    404: { description: 'You are in no such group' },
  },
  handle: async ({ query: { group_id: groupId }, call }, { auth }) => {
    const { members } = await auth.listMembers({ groupId }, call);
    return answer({ message: 'Members of the group', members: members.map(toMember) });
  },
});
