import { ACCESS_ACTIONS, jobs } from '@tally/contracts';
import { onEither, resourceOf, toAccessed } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { findNames } from '../../names.js';
import { defineRoute } from '../../route.js';
import { accessResponse, resourceQuery } from '../../schemas/share.js';
import { GUEST_ID } from '../../session/guest.js';

/** GET /shares/access: what the user may do with a job or project. */
export const getAccess = defineRoute({
  method: 'GET',
  path: '/shares/access',
  auth: 'session',
  summary: 'What you may do with a job or project, and whose it is',
  access: onEither('read'),
  query: resourceQuery,
  responses: {
    200: { description: 'What is allowed', schema: accessResponse },
    403: { description: "Another user's, who has not shared it with you" },
    404: { description: 'No such job or project, or the link that is shown does not open it' },
  },
  handle: async ({ session, query, accessed, shareLink: linkToken = '', call }, services) => {
    const asked = { resource: resourceOf(query), action: jobs.AccessAction.ACCESS_ACTION_UNSPECIFIED, linkToken };
    const found = accessed[0] ?? toAccessed(await services.jobs.getAccess(asked, call));
    const isGuest = session.userId === GUEST_ID;
    const ids = { userIds: isGuest ? [] : [found.ownerId], groupIds: [found.groupId] };
    const names = await findNames(services, ids, call);
    return answer({
      message: 'Access',
      is_owner: found.ownerId === session.userId,
      owner: isGuest ? null : names.person(found.ownerId),
      group: found.groupId === '' ? null : names.group(found.groupId),
      actions: Object.keys(ACCESS_ACTIONS).filter((name) => found.actions.some((action) => action === name)),
    });
  },
});
