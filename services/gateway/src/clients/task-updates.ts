import type { jobs } from '@tally/contracts';
import { type ClientOf, fromStatusMessage, outcomeOf } from '@tally/service-kit';
import { answerInvalid } from '../errors.js';

import { createSharedCall } from './shared-call.js';

/** The RPCs that it calls. */
type UpdateClient = Pick<ClientOf<typeof jobs.JobsServiceService>, 'updateTask' | 'updateTasks'>;

/** A worker's update of a task. @throws ServiceError as UpdateTask of jobs */
export type UpdateTask = (update: jobs.UpdateTaskRequest) => Promise<jobs.UpdateTaskResponse>;

/** Sends updates that come together in one call. */
export function createTaskUpdates(client: UpdateClient): UpdateTask {
  const send = createSharedCall<jobs.UpdateTaskRequest, jobs.TaskUpdateOutcome>({
    call: async (updates) => (await client.updateTasks({ updates: [...updates] })).outcomes,
    callAlone: (update) => outcomeOf(() => client.updateTask(update)),
  });
  return async (update) => {
    const { outcome } = await send(update);
    if (outcome?.$case === 'refusal') throw fromStatusMessage(outcome.value);
    if (outcome === undefined) throw answerInvalid('an outcome is empty');
    return outcome.value;
  };
}
