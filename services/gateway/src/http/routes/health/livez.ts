import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';

/** GET /livez: the process is alive; it does not look at dependencies. */
export const livez = defineRoute({
  method: 'GET',
  path: '/livez',
  auth: 'none',
  isLocal: true,
  summary: 'Liveness',
  responses: { 200: { description: 'Alive', schema: messageResponse } },
  handle: async () => answer({ message: 'alive' }),
});
