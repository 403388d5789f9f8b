import { authorizeWorker, requireThere } from './authorize-worker.js';
import type { JobId } from './job.js';
import type { WorkerCredential, WorkerPorts, WorkerTarget } from './worker-ports.js';

export interface UploadTarget extends Omit<WorkerTarget, 'endedBy'> {
  readonly jobId: JobId;
  /** The same content ended the job before: the answer is that of the first time. */
  readonly isRepeat: boolean;
}

/**
 * Where a worker's upload belongs, and whether it is still wanted.
 * @param upload - `taskId` undefined: of the job as a whole; `contentHash`: of final results
 * @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND
 */
export async function getWorkerTarget(
  ports: WorkerPorts,
  credential: WorkerCredential,
  upload: {
    readonly taskId: number | undefined;
    readonly celeryId: string | undefined;
    readonly contentHash: string | undefined;
  },
): Promise<UploadTarget> {
  const jobId = await authorizeWorker(ports, credential);
  const target = requireThere(await ports.workers.findTarget(jobId, upload.taskId, upload.celeryId));
  const { endedBy, ...rest } = target;
  return { ...rest, jobId, isRepeat: endedBy !== null && endedBy === upload.contentHash };
}
