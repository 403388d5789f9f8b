import type { JobId } from '../job.js';
import { type Delivery, judgeDelivery } from '../job-end.js';
import { authorizeWorker, requireThere } from './authorize-worker.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';

export interface UploadTarget extends Omit<Delivery, 'failure'> {
  readonly jobId: JobId;
  /** False: job or task have ended, or the attempt was replaced. */
  readonly isWanted: boolean;
  /** The same content ended the job before: the answer is that of the first time. */
  readonly isRepeat: boolean;
}

/**
 * Where a worker's upload belongs, and whether it is still wanted.
 * @param upload - `taskId` undefined: of the job as a whole; `contentHash`: of final results; `primaries`: behind them, as
 *   the worker says
 * @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND
 */
export async function getWorkerTarget(
  ports: WorkerPorts,
  credential: WorkerCredential,
  upload: {
    readonly taskId: number | undefined;
    readonly attemptName: string | undefined;
    readonly contentHash: string | undefined;
    readonly primaries: bigint | undefined;
  },
): Promise<UploadTarget> {
  const jobId = await authorizeWorker(ports, credential);
  const target = requireThere(await ports.workers.findTarget(jobId, upload, ports.updateKeyHours));
  const { isWanted, endedBy, tally } = target;
  const { primaries, taskCount, isPartial } = judgeDelivery(tally, upload.primaries);
  const isRepeat = endedBy !== null && endedBy === upload.contentHash;
  return { jobId, isWanted, isRepeat, primaries, taskCount, isPartial };
}
