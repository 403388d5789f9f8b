import { jobs } from '@tally/contracts';
import { toCredential, WORKER_RESPONSES, workerAnswer } from '../../answer/worker-answer.js';
import { state } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { taskUpdate, taskUpdateResponse } from '../../schemas/worker.js';

/** POST /tasks: a worker reports the state of its task; the answer shows whether to stop. */
export const updateTask = defineRoute({
  method: 'POST',
  path: '/tasks',
  auth: 'update_key',
  summary: 'Worker: update a task',
  body: taskUpdate,
  responses: {
    202: { description: 'Applied, or ignored', schema: taskUpdateResponse },
    ...WORKER_RESPONSES,
    404: { description: 'The job has no such task' },
  },
  handle: async ({ body, call }, services) => {
    const { task_id: taskId, update_dict: update } = body;
    const { estimated_time: estimated } = update;
    const sent = {
      credential: toCredential(body.simulation_id, body.update_key),
      taskId,
      state: update.task_state ? state.toProto(update.task_state) : jobs.State.STATE_UNSPECIFIED,
      requestedPrimaries: BigInt(update.requested_primaries ?? 0),
      simulatedPrimaries: BigInt(update.simulated_primaries ?? 0),
      estimatedTime:
        estimated === null || estimated === undefined ? undefined : { seconds: BigInt(estimated), nanos: 0 },
      startTime: update.start_time ?? undefined,
      endTime: update.end_time ?? undefined,
      celeryId: update.celery_id ?? '',
      failure: update.failure ?? '',
    };
    const { isApplied, mustStop, mustFinish = false } = await services.jobs.updateTask(sent, call);
    return workerAnswer('Task updated', isApplied, { cancel: mustStop, finish: mustFinish });
  },
});
