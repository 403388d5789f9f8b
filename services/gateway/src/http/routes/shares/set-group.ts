import { onEither, resourceOf } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { groupGift } from '../../schemas/share.js';

/** PUT /shares/group: the group that a job or project belongs to. */
export const setGroup = defineRoute({
  method: 'PUT',
  path: '/shares/group',
  auth: 'session',
  summary: 'Give a job or project to a group, or take it back',
  description:
    'Viewers of the group read it, members change it, managers delete it. It stays yours, and counts for your quotas.',
  access: onEither('share'),
  body: groupGift,
  responses: {
    200: { description: 'Given, or taken back', schema: messageResponse },
    403: { description: "Another user's" },
    404: { description: 'No such job or project' },
  },
  handle: async ({ body, call }, { jobs }) => {
    const groupId = body.group_id ?? '';
    await jobs.updateResourceGroup({ resource: resourceOf(body), groupId }, call);
    return answer({ message: groupId === '' ? 'It belongs to no group' : 'It belongs to the group' });
  },
});
