import { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { onJob } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { extendRequest, extendResponse, submissionHeaders } from '../../schemas/job.js';

type ExtendRequest = RouteRequest<
  'session' | 'sso',
  unknown,
  z.output<typeof extendRequest>,
  z.output<typeof submissionHeaders>
>;

async function extend(platform: jobs.Platform, { body, headers, call }: ExtendRequest, services: RouteServices) {
  const { job_id: jobId, primaries, ntasks } = body;
  const idempotencyKey = headers['Idempotency-Key'] ?? '';
  const extended = await services.jobs.extendJob(
    { jobId, platform, primaries: BigInt(primaries), taskCount: ntasks, idempotencyKey },
    call,
  );
  return answer(
    {
      message: 'Job extended',
      job_id: jobId,
      job_state: 'PENDING' as const,
      ntasks: extended.taskCount,
      primaries: Number(extended.primaries),
    },
    202,
  );
}

const DESCRIPTION = `Gives a COMPLETED job further primaries, on histories that it has not simulated. The job is PENDING again; when its new
tasks have ended, the results are merged anew from the outputs of all tasks: of the built-in engine the same values and errors, to the last
bit, as of a job that was submitted with all these primaries and the same seed. Until then the earlier results stay, also when the
job is cancelled meanwhile. A job that was stopped can be extended, too; what it did not simulate then stays left out.`;

const responses = {
  202: { description: 'Stored; it will run', schema: extendResponse },
  403: { description: "Another user's job" },
  404: { description: 'No such job here' },
  409: { description: 'The job is not COMPLETED, or an external worker merged its results' },
  422: { description: 'The Idempotency-Key was used with another body' },
};

/** POST /jobs/direct/extend */
export const extendDirectJob = defineRoute({
  method: 'POST',
  path: '/jobs/direct/extend',
  auth: 'session',
  access: onJob('change'),
  summary: 'Add primaries to a direct job that is COMPLETED',
  description: DESCRIPTION,
  headers: submissionHeaders,
  body: extendRequest,
  responses,
  handle: (request, services) => extend(jobs.Platform.PLATFORM_DIRECT, request, services),
});

/** POST /jobs/batch/extend */
export const extendBatchJob = defineRoute({
  method: 'POST',
  path: '/jobs/batch/extend',
  auth: 'sso',
  access: onJob('change'),
  summary: 'Add primaries to a batch job that is COMPLETED',
  description: `${DESCRIPTION}
Its new tasks run on the cluster and with the scheduler options that it was submitted with.`,
  headers: submissionHeaders,
  body: extendRequest,
  responses: {
    ...responses,
    501: { description: 'This deployment has no batch platform, or no cluster, or is in the middle of an upgrade' },
  },
  handle: (request, services) => extend(jobs.Platform.PLATFORM_BATCH, request, services),
});
