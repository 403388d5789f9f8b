import { answer, defineRoute } from '../../route.js';
import { limitsResponse } from '../../schemas/health.js';

/** GET /limits: what this gateway accepts; units at the end of the names. */
export const getLimits = defineRoute({
  method: 'GET',
  path: '/limits',
  auth: 'none',
  isLocal: true,
  summary: 'Limits of requests and answers',
  responses: { 200: { description: 'The limits', schema: limitsResponse } },
  handle: async (_request, { limits }) => answer({ message: 'Limits of this service', limits }),
});
