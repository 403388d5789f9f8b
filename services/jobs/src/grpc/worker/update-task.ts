import type { jobs } from '@tally/contracts';
import { updateTask } from '../../domain/worker/update-task.js';
import type { WorkerPorts } from '../../domain/worker/worker-ports.js';
import { readAttemptName, readCredential, readTaskUpdate } from './worker-mappers.js';

/** UpdateTask of jobs_service.proto. */
export function updateTaskRpc(ports: WorkerPorts) {
  return async (request: jobs.UpdateTaskRequest): Promise<jobs.UpdateTaskResponse> => {
    const target = { taskId: request.taskId, attemptName: readAttemptName(request.celeryId) };
    const update = readTaskUpdate(request);
    const { mustFinish, ...answer } = await updateTask(ports, readCredential(request.credential), target, update);
    return { ...answer, ...(mustFinish ? { mustFinish } : {}) };
  };
}
