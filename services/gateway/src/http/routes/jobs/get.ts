import { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { required, state, toSimulationId, toTaskStatus } from '../../mappers.js';
import { answer, defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { jobStatusResponse } from '../../schemas/job.js';
import { jobQuery } from '../../schemas/parameters.js';

/** Status of a job that runs on the platform; unspecified: anywhere. Never changes anything. */
async function jobStatus(
  platform: jobs.Platform,
  { query, call }: RouteRequest<'session' | 'sso', z.output<typeof jobQuery>>,
  services: RouteServices,
) {
  const found = await services.jobs.getJob({ jobId: query.job_id, platform }, call);
  const job = required(found.job, 'job');
  return answer({
    message: 'Job status',
    ...toSimulationId(job.simulationId),
    job_state: state.toName(job.state),
    job_tasks_status: job.tasks.map(toTaskStatus),
    ...(job.failure === '' ? {} : { failure: job.failure }),
    ...(job.clusterName === '' ? {} : { cluster_name: job.clusterName }),
    ...(job.waitingReason === '' ? {} : { waiting_reason: job.waitingReason }),
  });
}

const responses = {
  200: { description: 'State of the job and of its tasks', schema: jobStatusResponse },
  403: { description: "Another user's job" },
  404: { description: 'No such job here' },
};

/** GET /jobs/direct */
export const getDirectJob = defineRoute({
  method: 'GET',
  path: '/jobs/direct',
  auth: 'session',
  summary: 'Status of a direct job',
  query: jobQuery,
  responses,
  handle: (request, services) => jobStatus(jobs.Platform.PLATFORM_DIRECT, request, services),
});

/** GET /jobs/batch */
export const getBatchJob = defineRoute({
  method: 'GET',
  path: '/jobs/batch',
  auth: 'sso',
  summary: 'Status of a batch job',
  query: jobQuery,
  responses,
  handle: (request, services) => jobStatus(jobs.Platform.PLATFORM_BATCH, request, services),
});

/** GET /jobs */
export const getJob = defineRoute({
  method: 'GET',
  path: '/jobs',
  auth: 'session',
  summary: 'Status of a job of either platform',
  query: jobQuery,
  responses,
  handle: (request, services) => jobStatus(jobs.Platform.PLATFORM_UNSPECIFIED, request, services),
});
