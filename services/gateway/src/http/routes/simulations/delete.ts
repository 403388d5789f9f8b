import { onJob } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { jobQuery } from '../../schemas/parameters.js';

/** DELETE /user/simulations: a job that has ended, with everything of it. */
export const deleteSimulation = defineRoute({
  method: 'DELETE',
  path: '/user/simulations',
  auth: 'session',
  access: onJob('delete'),
  summary: 'Delete a simulation',
  query: jobQuery,
  responses: {
    200: { description: 'Deleted', schema: messageResponse },
    403: { description: "Another user's simulation" },
    404: { description: 'No such simulation' },
    409: { description: 'The simulation is still running' },
  },
  handle: async ({ query, call }, services) => {
    await services.jobs.deleteJob({ jobId: query.job_id }, call);
    return answer({ message: 'Simulation deleted' });
  },
});
