import { authorizeWorker, requireThere } from './authorize-worker.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';
import { decideTaskUpdate, hashUpdate, type TaskUpdate } from './worker-update.js';

/**
 * A worker's update of one task. With the last task the job goes on to its merge, or fails when no task delivered.
 * @param celeryId - the attempt as the worker calls it; undefined: not said
 * @returns whether it applied (also true for a repeat of the update that ended the task), and whether the worker should
 *   stop: its attempt was replaced, or the task ended otherwise
 * @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND
 */
export async function updateTask(
  ports: WorkerPorts,
  credential: WorkerCredential,
  target: { readonly taskId: number; readonly celeryId: string | undefined },
  update: TaskUpdate,
): Promise<{ readonly isApplied: boolean; readonly mustStop: boolean }> {
  const jobId = await authorizeWorker(ports, credential);
  const decision = requireThere(
    await ports.workers.updateTask(
      jobId,
      target.taskId,
      target.celeryId,
      hashUpdate(update),
      (task, attempt, endedBy, now) => decideTaskUpdate(task, attempt, endedBy, update, now),
    ),
  );
  if (decision.kind === 'ignored') return { isApplied: decision.isRepeat, mustStop: !decision.isRepeat };
  ports.wake.outbox();
  return { isApplied: true, mustStop: false };
}
