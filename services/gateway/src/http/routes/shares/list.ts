import { onEither, resourceOf } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { findNames } from '../../names.js';
import { defineRoute } from '../../route.js';
import { resourceQuery, sharesResponse } from '../../schemas/share.js';
import { groupIdsOf, toShare, userIdsOf } from './share.js';

/** GET /shares: who has access to something of the user. */
export const listShares = defineRoute({
  method: 'GET',
  path: '/shares',
  auth: 'session',
  summary: 'List who has access to a job or project',
  access: onEither('share'),
  query: resourceQuery,
  responses: {
    200: { description: 'Shares that have not ended, and the group', schema: sharesResponse },
    403: { description: "Another user's" },
    404: { description: 'No such job or project' },
  },
  handle: async ({ query, call }, services) => {
    const { shares, groupId } = await services.jobs.listShares({ resource: resourceOf(query) }, call);
    const ids = { userIds: userIdsOf(shares), groupIds: [...groupIdsOf(shares), groupId] };
    const names = await findNames(services, ids, call);
    return answer({
      message: 'Who has access',
      group: groupId === '' ? null : names.group(groupId),
      shares: shares.map((share) => toShare(share, names)),
    });
  },
});
