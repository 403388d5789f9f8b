import { jobs } from '@tally/contracts';
import { answerUnlessKnown } from '../../answer/answer-unless-known.js';
import {
  inputType,
  platform,
  simulator,
  state,
  toDescription,
  toJobEnd,
  toLabels,
  toSweep,
  toTimestamp,
} from '../../mappers.js';
import { defineRoute } from '../../route.js';
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
    ...toDescription(job.descriptionJson),
    ...(job.labels === undefined ? {} : { labels: toLabels(job.labels) }),
    ...toSweep(job),
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
  responses: {
    200: {
      description: 'A page; empty beyond the end',
      schema: simulationsResponse,
      headers: {
        ETag: 'Strong validator: another one after every change of the page or of the number of simulations',
      },
    },
    304: { description: 'The client has this version (If-None-Match)' },
  },
  handle: (request, services) => {
    const { page_size: pageSize, page_idx: pageIndex, order_by, order_type, job_state, search } = request.query;
    const states = job_state.map((name) => state.toProto(name));
    const order = ORDERS[order_by];
    const asked = { pageSize, pageIndex, order, isAscending: order_type === 'ascend', states, search };
    return answerUnlessKnown(request, {
      find: (knownVersion) => services.jobs.listJobs({ ...asked, knownVersion }, request.call),
      write: ({ page }) => page && writePage(page, pageSize),
    });
  },
});

function writePage(page: jobs.JobPage, pageSize: number): string {
  const count = Number(page.jobCount);
  return JSON.stringify({
    message: 'User simulations',
    simulations: page.jobs.map(toSimulation),
    page_count: Math.ceil(count / pageSize),
    simulations_count: count,
  });
}
