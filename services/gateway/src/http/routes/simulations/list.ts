import { jobs, SHARED_VIEWS } from '@tally/contracts';
import { toAccessed } from '../../access.js';
import { answerUnlessKnown, answerUnlessSame } from '../../answer/answer-unless-known.js';
import {
  inputType,
  platform,
  required,
  simulator,
  state,
  toDescription,
  toJobEnd,
  toLabels,
  toSweep,
  toTimestamp,
} from '../../mappers.js';
import { findNamesOf, toBelonging } from '../../names.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
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

/** GET /user/simulations: a page of the user's own jobs, or of those of others. */
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
    const { view, group_id: groupId = '' } = request.query;
    if (view !== 'own') return listOfOthers(request, services, { ...asked, view: SHARED_VIEWS[view], groupId });
    return answerUnlessKnown(request, {
      find: (knownVersion) => services.jobs.listJobs({ ...asked, knownVersion }, request.call),
      write: ({ page }) => page && JSON.stringify(toPage(page.jobs.map(toSimulation), page.jobCount, pageSize)),
    });
  },
});

type ListRequest = Pick<RouteRequest, 'call' | 'header'>;

async function listOfOthers(request: ListRequest, services: RouteServices, asked: jobs.ListSharedJobsRequest) {
  const { call } = request;
  const page = await services.jobs.listSharedJobs(asked, call);
  const names = await findNamesOf(services, page.jobs, call);
  const listed = page.jobs.map(({ job, ...belonging }) => ({
    ...toSimulation(required(job, 'job')),
    ...toBelonging(toAccessed(belonging), names),
  }));
  return answerUnlessSame(request, JSON.stringify(toPage(listed, page.jobCount, asked.pageSize)));
}

const toPage = <Listed>(simulations: readonly Listed[], count: bigint, pageSize: number) => ({
  message: 'User simulations',
  simulations,
  page_count: Math.ceil(Number(count) / pageSize),
  simulations_count: Number(count),
});
