import { authorizeWorker, requireThere } from './authorize-worker.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';
import { decideJobUpdate, hashUpdate, type JobUpdate } from './worker-update.js';

/**
 * A worker's update of its job. Whatever was open in a job that it ends is closed: tasks are COMPLETED with a COMPLETED
 * job and CANCELED with any other.
 * @returns whether it applied: also true for a repeat of the update that ended the job
 * @throws ServiceError UPDATE_KEY_INVALID
 */
export async function updateJob(ports: WorkerPorts, credential: WorkerCredential, update: JobUpdate): Promise<boolean> {
  const jobId = await authorizeWorker(ports, credential);
  const decision = requireThere(
    await ports.workers.updateJob(jobId, hashUpdate(update), (job, endedBy, now) =>
      decideJobUpdate(job, endedBy, update, now),
    ),
  );
  if (decision.kind === 'ignored') return decision.isRepeat;
  ports.wake.outbox(); // its place in the window may be free
  return true;
}
