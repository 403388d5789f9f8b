import { authorizeWorker, requireThere } from './authorize-worker.js';
import { judgeDelivery } from './job-end.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';

/** What of a worker's is stored in results by now: a task's output, or the final results. */
export type WorkerOutput =
  | { readonly kind: 'task'; readonly taskId: number }
  | {
      readonly kind: 'final';
      readonly contentHash: string;
      /** Histories behind them, as the worker says. */
      readonly primaries: bigint | undefined;
    };

/**
 * Notes what a worker has stored. Final results end the job: COMPLETED, or FAILED (results partial) when tasks are
 * missing in them; tasks that were open are COMPLETED. Safe to repeat.
 * @returns false when it came too late: the job had ended otherwise
 * @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND
 */
export async function reportWorkerOutput(
  ports: WorkerPorts,
  credential: WorkerCredential,
  output: WorkerOutput,
): Promise<boolean> {
  const jobId = await authorizeWorker(ports, credential);
  const isApplied = requireThere(
    output.kind === 'task'
      ? await ports.workers.noteTaskOutput(jobId, output.taskId)
      : await ports.workers.noteResults(jobId, output.contentHash, (tally) => judgeDelivery(tally, output.primaries)),
  );
  ports.wake.outbox();
  return isApplied;
}
