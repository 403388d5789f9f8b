import { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { onJob } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { state } from '../../mappers.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { jobStateResponse } from '../../schemas/job.js';
import { jobQuery } from '../../schemas/parameters.js';

async function cancel(
  platform: jobs.Platform,
  { query, call }: RouteRequest<'session' | 'sso', z.output<typeof jobQuery>>,
  services: RouteServices,
) {
  const cancelled = await services.jobs.cancelJob({ jobId: query.job_id, platform }, call);
  const job_state = state.toName(cancelled.state);
  const message = job_state === 'CANCELED' ? 'Job canceled' : `Job had already ended as ${job_state}`;
  return answer({ message, job_state });
}

const responses = {
  200: { description: 'State after the call; a job that had ended is unchanged', schema: jobStateResponse },
  403: { description: "Another user's job" },
  404: { description: 'No such job here' },
};

/** DELETE /jobs/direct */
export const cancelDirectJob = defineRoute({
  method: 'DELETE',
  path: '/jobs/direct',
  auth: 'session',
  access: onJob('change'),
  summary: 'Cancel a direct job',
  query: jobQuery,
  responses,
  handle: (request, services) => cancel(jobs.Platform.PLATFORM_DIRECT, request, services),
});

/** DELETE /jobs/batch */
export const cancelBatchJob = defineRoute({
  method: 'DELETE',
  path: '/jobs/batch',
  auth: 'sso',
  access: onJob('change'),
  summary: 'Cancel a batch job',
  query: jobQuery,
  responses,
  handle: (request, services) => cancel(jobs.Platform.PLATFORM_BATCH, request, services),
});
