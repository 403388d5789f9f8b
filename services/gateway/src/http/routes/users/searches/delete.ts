import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { savedSearchQuery } from '../../../schemas/jobs/labels.js';
import { messageResponse } from '../../../schemas/message.js';

/** DELETE /user/searches: forgets a search for jobs. */
export const deleteSavedSearch = defineRoute({
  method: 'DELETE',
  path: '/user/searches',
  auth: 'session',
  summary: 'Forget a search for jobs',
  query: savedSearchQuery,
  responses: {
    200: { description: 'Forgotten', schema: messageResponse },
    404: { description: 'The user keeps no search of this name' },
  },
  handle: async ({ query, call }, services) => {
    await services.jobs.deleteSavedSearch({ name: query.name }, call);
    return answer({ message: 'Search deleted' });
  },
});
