import type { jobs } from '@tally/contracts';
import { outcomeOf } from '@tally/service-kit';
import { invalidField } from '../../domain/errors.js';
import type { WorkerPorts } from '../../domain/worker/worker-ports.js';
import { updateTaskRpc } from './update-task.js';

const UPDATES_MAX = 1_000;

/** UpdateTasks of jobs_service.proto. Those that need the same rows are stored by one commit. */
export function updateTasksRpc(ports: WorkerPorts) {
  const updateTask = updateTaskRpc(ports);
  return async ({ updates }: jobs.UpdateTasksRequest): Promise<jobs.UpdateTasksResponse> => {
    if (updates.length > UPDATES_MAX) throw invalidField('/updates', `are more than ${UPDATES_MAX}`);
    return { outcomes: await Promise.all(updates.map((update) => outcomeOf(() => updateTask(update)))) };
  };
}
