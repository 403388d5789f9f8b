import { jobs } from '@tally/contracts';
import { toCredential, WORKER_RESPONSES, workerAnswer } from '../../answer/worker-answer.js';
import { state } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { jobUpdate, workerResponse } from '../../schemas/worker.js';

/** POST /jobs: a worker reports the state of its job. */
export const updateJob = defineRoute({
  method: 'POST',
  path: '/jobs',
  auth: 'update_key',
  summary: 'Worker: update a job',
  body: jobUpdate,
  responses: { 202: { description: 'Applied, or ignored', schema: workerResponse }, ...WORKER_RESPONSES },
  handle: async ({ body, call }, services) => {
    const { isApplied } = await services.jobs.updateJob(
      {
        credential: toCredential(body.sim_id, body.update_key),
        state: body.job_state ? state.toProto(body.job_state) : jobs.State.STATE_UNSPECIFIED,
        endTime: body.end_time ?? undefined,
        jobDir: body.job_dir ?? undefined,
        arrayId: toBigint(body.array_id),
        collectId: toBigint(body.collect_id),
      },
      call,
    );
    return workerAnswer('Job updated', isApplied);
  },
});

function toBigint(value: number | null | undefined): bigint | undefined {
  return value === null || value === undefined ? undefined : BigInt(value);
}
