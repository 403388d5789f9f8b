import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { savedSearchBody } from '../../../schemas/jobs/labels.js';
import { messageResponse } from '../../../schemas/message.js';

/** PUT /user/searches: keeps a search for jobs under a name. */
export const createSavedSearch = defineRoute({
  method: 'PUT',
  path: '/user/searches',
  auth: 'session',
  summary: 'Keep a search for jobs under a name',
  description: 'At most 50; one of the same name is replaced.',
  body: savedSearchBody,
  responses: { 200: { description: 'Kept', schema: messageResponse } },
  handle: async ({ body, call }, services) => {
    await services.jobs.createSavedSearch({ savedSearch: body }, call);
    return answer({ message: 'Search saved' });
  },
});
