import { answer } from '../../answer/answer.js';
import { toGroup } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { groupsResponse } from '../../schemas/group.js';

/** GET /groups: the user's groups. */
export const listGroups = defineRoute({
  method: 'GET',
  path: '/groups',
  auth: 'session',
  summary: 'List your groups',
  responses: { 200: { description: 'By name, with your role in each', schema: groupsResponse } },
  handle: async ({ call }, { auth }) => {
    const { groups } = await auth.listGroups({}, call);
    return answer({ message: 'Your groups', groups: groups.map(toGroup) });
  },
});
