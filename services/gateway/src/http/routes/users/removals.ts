import { onJob } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { retained, toTimestamp } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { removalsQuery, removalsResponse } from '../../schemas/admin/retention.js';

/** GET /user/removals */
export const listRemovals = defineRoute({
  method: 'GET',
  path: '/user/removals',
  auth: 'session',
  access: onJob('read'),
  summary: 'What rules of retention remove of your jobs',
  description: 'A job that is a favourite, or has the tag `keep`, is under no rule.',
  query: removalsQuery,
  responses: {
    200: { description: 'The first that goes comes first; at most 1000', schema: removalsResponse },
    403: { description: "The job is another user's" },
    404: { description: 'No such job' },
  },
  handle: async ({ query: { job_id: jobId = '' }, call }, { jobs }) => {
    const found = await jobs.listRemovals({ jobId }, call);
    return answer({
      message: 'Removals',
      removals: found.removals.map(({ jobId: job_id, data, removeTime }) => ({
        job_id,
        data: retained.toName(data),
        remove_at: toTimestamp(removeTime, 'remove_time'),
      })),
      ...(found.resultsRemoveTime === undefined ? {} : { results_removed_at: found.resultsRemoveTime.toISOString() }),
      ...(found.logsRemoveTime === undefined ? {} : { logs_removed_at: found.logsRemoveTime.toISOString() }),
    });
  },
});
