import type { jobs } from '@tally/contracts';
import { updateTask } from '../domain/worker/update-task.js';
import type { WorkerPorts } from '../domain/worker/worker-ports.js';
import { readCeleryId, readCredential, readTaskUpdate } from './worker-mappers.js';

/** UpdateTask of jobs_service.proto. */
export function updateTaskRpc(ports: WorkerPorts) {
  return (request: jobs.UpdateTaskRequest): Promise<jobs.UpdateTaskResponse> => {
    const target = { taskId: request.taskId, celeryId: readCeleryId(request.celeryId) };
    return updateTask(ports, readCredential(request.credential), target, readTaskUpdate(request));
  };
}
