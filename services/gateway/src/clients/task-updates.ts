import type { jobs } from '@tally/contracts';
import {
  type ClientOf,
  createBatcher,
  currentContext,
  fromStatusMessage,
  newId,
  outcomeOf,
  type RequestContext,
  ServiceError,
  withContext,
} from '@tally/service-kit';
import { answerInvalid } from '../http/mappers.js';

/** The RPCs that it calls. */
type UpdateClient = Pick<ClientOf<typeof jobs.JobsServiceService>, 'updateTask' | 'updateTasks'>;

/** A worker's update of a task. @throws ServiceError as UpdateTask of jobs */
export type UpdateTask = (update: jobs.UpdateTaskRequest) => Promise<jobs.UpdateTaskResponse>;

/** An update, and the request that brought it. */
interface BroughtUpdate {
  readonly update: jobs.UpdateTaskRequest;
  readonly context: RequestContext;
}

/** jobs takes 1000. */
const UPDATES_MAX = 500;

/** Sends updates that come together in one call, under the id and the deadline of the first: the earliest. */
export function createTaskUpdates(client: UpdateClient): UpdateTask {
  const send = createBatcher<BroughtUpdate, jobs.TaskUpdateOutcome>({
    sizeMax: UPDATES_MAX,
    batchesMax: Number.POSITIVE_INFINITY, // a call that takes long holds up nobody else
    run: (brought) => withContext((brought[0] as BroughtUpdate).context, () => sendAll(client, brought)),
  });
  return async (update) => {
    const { outcome } = await send({ update, context: currentContext() ?? { requestId: newId() } });
    if (outcome?.$case === 'refusal') throw fromStatusMessage(outcome.value);
    if (outcome === undefined) throw answerInvalid('an outcome is empty');
    return outcome.value;
  };
}

async function sendAll(client: UpdateClient, brought: readonly BroughtUpdate[]): Promise<jobs.TaskUpdateOutcome[]> {
  try {
    return (await client.updateTasks({ updates: brought.map(({ update }) => update) })).outcomes;
  } catch (err) {
    // jobs of the release before
    if (!(err instanceof ServiceError) || err.status !== 'UNIMPLEMENTED') throw err;
    return Promise.all(
      brought.map(({ update, context }) => withContext(context, () => outcomeOf(() => client.updateTask(update)))),
    );
  }
}
