import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { aboutResponse } from '../../schemas/health.js';

/** GET /: name and version of the service; calls nothing. */
export const about = defineRoute({
  method: 'GET',
  path: '/',
  auth: 'none',
  isLocal: true,
  summary: 'Name and version',
  responses: { 200: { description: 'The gateway answers', schema: aboutResponse } },
  handle: async (_request, { version }) => answer({ message: 'Tally is running', name: 'tally', version }),
});
