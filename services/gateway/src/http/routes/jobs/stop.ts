import { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { onJob } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { state } from '../../mappers.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { stopResponse } from '../../schemas/job.js';
import { jobQuery } from '../../schemas/parameters.js';

async function stop(
  platform: jobs.Platform,
  { query, call }: RouteRequest<'session' | 'sso', z.output<typeof jobQuery>>,
  services: RouteServices,
) {
  const stopped = await services.jobs.stopJob({ jobId: query.job_id, platform }, call);
  return answer({
    message: describe(stopped),
    job_state: state.toName(stopped.state),
    stopped: stopped.isStopped,
  });
}

function describe({ state: now, isStopped }: jobs.StopJobResponse): string {
  const name = state.toName(now);
  if (name === 'CANCELED' && isStopped) return 'Job canceled: nothing had been simulated that could be kept';
  return isStopped ? 'Job stopped' : `Nothing is left to stop: the job is ${name}`;
}

const DESCRIPTION = `Ends the job early and keeps what it has. Tasks that wait are not run; those that run end after the history that
they are at and hand over what they have simulated, as the built-in engine and some simulators can, or are not counted. The job is then merged and
COMPLETED, with \`stopped\` and the primaries that were really simulated; values and errors are per these. A job of which
nothing was simulated by then is CANCELED. A job of which all tasks have ended is left as it is.`;

const responses = {
  200: { description: 'State after the call', schema: stopResponse },
  403: { description: "Another user's job" },
  404: { description: 'No such job here' },
};

/** POST /jobs/direct/stop */
export const stopDirectJob = defineRoute({
  method: 'POST',
  path: '/jobs/direct/stop',
  auth: 'session',
  access: onJob('change'),
  summary: 'Stop a direct job early and keep what it has',
  description: DESCRIPTION,
  query: jobQuery,
  responses,
  handle: (request, services) => stop(jobs.Platform.PLATFORM_DIRECT, request, services),
});

/** POST /jobs/batch/stop */
export const stopBatchJob = defineRoute({
  method: 'POST',
  path: '/jobs/batch/stop',
  auth: 'sso',
  access: onJob('change'),
  summary: 'Stop a batch job early and keep what it has',
  description: DESCRIPTION,
  query: jobQuery,
  responses,
  handle: (request, services) => stop(jobs.Platform.PLATFORM_BATCH, request, services),
});
