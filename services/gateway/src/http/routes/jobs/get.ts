import { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { onJob } from '../../access.js';
import type { Answer } from '../../answer/answer.js';
import { answerUnlessKnown } from '../../answer/answer-unless-known.js';
import { openObject } from '../../answer/json-text.js';
import {
  required,
  state,
  toDescription,
  toFailure,
  toJobEnd,
  toNotedLabels,
  toSimulationId,
  toSubmitted,
  toSweep,
} from '../../mappers.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { jobStatusResponse } from '../../schemas/job.js';
import { jobQuery } from '../../schemas/parameters.js';
import { writeTaskStatuses } from './task-statuses.js';

/** Status of a job that runs on the platform; unspecified: anywhere. Never changes anything. */
function jobStatus(
  platform: jobs.Platform,
  request: RouteRequest<'session' | 'sso', z.output<typeof jobQuery>>,
  services: RouteServices,
): Promise<Answer> {
  const { job_id: jobId } = request.query;
  return answerUnlessKnown(request, {
    find: (knownVersion) => services.jobs.getJob({ jobId, platform, knownVersion }, request.call),
    write: (found) => writeStatus(found, mayChange(request)),
  });
}

/** Labels are for those who may change them. */
const mayChange = ({ accessed: [access] }: Pick<RouteRequest, 'accessed'>) =>
  access === undefined || access.actions.includes('change');

function writeStatus({ job, tasks, remainingSeconds }: jobs.GetJobResponse, showsLabels: boolean): string | undefined {
  if (job === undefined) return undefined;
  const members = {
    message: 'Job status',
    ...toSimulationId(job.simulationId),
    ...toDescription(job.descriptionJson),
    job_state: state.toName(job.state),
    ...toFailure(job.failure),
    ...toJobEnd(job),
    ...(job.clusterName === '' ? {} : { cluster_name: job.clusterName }),
    ...(remainingSeconds === undefined ? {} : { remaining_seconds: Math.ceil(remainingSeconds) }),
    ...(job.waitingReason === '' ? {} : { waiting_reason: job.waitingReason }),
    ...toSweep(job),
    ...(job.labels === undefined || !showsLabels ? {} : { labels: toNotedLabels(job.labels) }),
    submission: toSubmitted(job),
  };
  return `${openObject(members)}"job_tasks_status":${writeTaskStatuses(required(tasks, 'tasks'))}}`;
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
  access: onJob('read'),
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
  access: onJob('read'),
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
  access: onJob('read'),
  summary: 'Status of a job of either platform',
  query: jobQuery,
  responses,
  handle: (request, services) => jobStatus(jobs.Platform.PLATFORM_UNSPECIFIED, request, services),
});
