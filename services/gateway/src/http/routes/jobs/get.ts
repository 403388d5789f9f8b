import { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { openObject } from '../../answer/json-text.js';
import { required, state, toFailure, toJobEnd, toSimulationId, toTaskStatus } from '../../mappers.js';
import { type Answer, answer, defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { jobStatusResponse } from '../../schemas/job.js';
import { jobQuery } from '../../schemas/parameters.js';
import { writeTaskStatuses } from './task-statuses.js';

/** Before the version of a job in its validator: another number where the same job is written otherwise. */
const TAG_PREFIX = 'v1-';

/** The version that a client has. */
const toKnownVersion = (ifNoneMatch = '') => /"v1-([\d-]{1,100})"/.exec(ifNoneMatch)?.[1] ?? '';

/** Status of a job that runs on the platform; unspecified: anywhere. Never changes anything. */
async function jobStatus(
  platform: jobs.Platform,
  request: RouteRequest<'session' | 'sso', z.output<typeof jobQuery>>,
  services: RouteServices,
): Promise<Answer> {
  const { query, call } = request;
  const known = services.knownStatuses.get(query.job_id);
  const knownVersion = known?.version ?? toKnownVersion(request.header('if-none-match'));
  const found = await services.jobs.getJob({ jobId: query.job_id, platform, knownVersion }, call);
  const { version, tasks } = found;
  const tag = `${TAG_PREFIX}${version}`;
  if (known !== undefined && known.version === version) return { kind: 'text', status: 200, text: known.text, tag };
  const job = required(found.job, 'job');
  const head = { message: 'Job status', ...toSimulationId(job.simulationId), job_state: state.toName(job.state) };
  const words = {
    ...toFailure(job.failure),
    ...toJobEnd(job),
    ...(job.clusterName === '' ? {} : { cluster_name: job.clusterName }),
    ...(job.waitingReason === '' ? {} : { waiting_reason: job.waitingReason }),
  };
  // jobs of the release before
  if (version === undefined) return answer({ ...head, job_tasks_status: job.tasks.map(toTaskStatus), ...words });
  const text = tasks && `${openObject({ ...head, ...words })}"job_tasks_status":${writeTaskStatuses(tasks)}}`;
  if (text !== undefined) services.knownStatuses.set(query.job_id, { version, text });
  return { kind: 'text', status: 200, text, tag };
}

const responses = {
  200: {
    description: 'State of the job and of its tasks',
    schema: jobStatusResponse,
    headers: { ETag: 'Strong validator: another one after every change of the job or of a task' },
  },
  304: { description: 'The client has this version (If-None-Match)' },
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
