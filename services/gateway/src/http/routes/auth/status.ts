import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { statusResponse } from '../../schemas/session.js';

/** GET /auth/status: who is logged in, by the access token; no service is called. */
export const getSessionStatus = defineRoute({
  method: 'GET',
  path: '/auth/status',
  auth: 'session',
  isLocal: true,
  summary: 'Current user',
  responses: { 200: { description: 'The user of the session', schema: statusResponse } },
  handle: async ({ session: { username, source, role } }) =>
    answer({ message: 'User is logged in', username, source, ...(role === undefined ? {} : { role }) }),
});
