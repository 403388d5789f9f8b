import { jobs } from '@tally/contracts';
import { inputType, platform, simulator, state, toJobEnd, toTimestamp } from '../../mappers.js';
import { answer, defineRoute } from '../../route.js';
import { simulationsQuery, simulationsResponse } from '../../schemas/user.js';

const ORDERS = {
  start_time: jobs.JobOrder.JOB_ORDER_START_TIME,
  end_time: jobs.JobOrder.JOB_ORDER_END_TIME,
} as const;

function toSimulation(job: jobs.Job) {
  return {
    job_id: job.jobId,
    title: job.title,
    start_time: toTimestamp(job.startTime, 'start_time'),
    end_time: job.endTime?.toISOString() ?? null,
    job_state: state.toName(job.state),
    sim_type: simulator.toName(job.simulator),
    input_type: inputType.toName(job.inputType),
    platform: platform.toName(job.platform),
    ntasks: job.taskCount,
    ...toJobEnd(job),
  };
}

/** GET /user/simulations: a page of the user's own jobs. */
export const listSimulations = defineRoute({
  method: 'GET',
  path: '/user/simulations',
  auth: 'session',
  summary: "The user's simulations",
  query: simulationsQuery,
  responses: { 200: { description: 'A page; empty beyond the end', schema: simulationsResponse } },
  handle: async ({ query, call }, services) => {
    const page = await services.jobs.listJobs(
      {
        pageSize: query.page_size,
        pageIndex: query.page_idx,
        order: ORDERS[query.order_by],
        isAscending: query.order_type === 'ascend',
        states: query.job_state.map((name) => state.toProto(name)),
      },
      call,
    );
    const count = Number(page.jobCount);
    return answer({
      message: 'User simulations',
      simulations: page.jobs.map(toSimulation),
      page_count: Math.ceil(count / query.page_size),
      simulations_count: count,
    });
  },
});
