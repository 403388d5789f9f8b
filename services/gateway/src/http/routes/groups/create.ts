import { answer } from '../../answer/answer.js';
import { required, toGroup } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { groupCreation, groupResponse } from '../../schemas/group.js';

/** POST /groups: a group that the user manages. */
export const createGroup = defineRoute({
  method: 'POST',
  path: '/groups',
  auth: 'session',
  summary: 'Make a group',
  description: 'You are its manager. Jobs and projects are given to a group by their owners, one by one.',
  body: groupCreation,
  responses: {
    201: { description: 'The group', schema: groupResponse },
    429: { description: 'You are in too many groups' },
  },
  handle: async ({ body: { name }, call }, { auth, userGroups }) => {
    const { group } = await auth.createGroup({ name }, call);
    userGroups.forget();
    return answer({ message: 'Group created', ...toGroup(required(group, 'group')) }, 201);
  },
});
