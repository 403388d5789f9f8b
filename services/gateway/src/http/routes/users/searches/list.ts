import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { savedSearchesResponse } from '../../../schemas/jobs/labels.js';

/** GET /user/searches: searches for jobs that the user keeps. */
export const listSavedSearches = defineRoute({
  method: 'GET',
  path: '/user/searches',
  auth: 'session',
  summary: 'Searches for jobs that the user keeps',
  responses: { 200: { description: 'All of them', schema: savedSearchesResponse } },
  handle: async ({ call }, services) => {
    const { savedSearches } = await services.jobs.listSavedSearches({}, call);
    return answer({ message: 'Saved searches', searches: savedSearches });
  },
});
