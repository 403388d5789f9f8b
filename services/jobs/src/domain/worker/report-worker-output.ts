import type { Draft } from '../change.js';
import type { JobId } from '../job.js';
import { isMergeDue, judgeDelivery } from '../job-end.js';
import { isTerminal } from '../job-state.js';
import { moveJob, moveTasks } from '../move-state.js';
import type { JobRow, TaskRow } from '../snapshot.js';
import { closeWork, endJobIfDone } from '../work.js';
import { authorizeWorker, isOver, requireThere } from './authorize-worker.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';

/** What of a worker's is stored in results by now: a task's output, or the final results. */
export type WorkerOutput = { readonly kind: 'task'; readonly taskId: number } | FinalResults;
export interface FinalResults {
  readonly kind: 'final';
  readonly contentHash: string;
  /** Histories behind them, as the worker says. */
  readonly primaries: bigint | undefined;
}

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
  const { states, workerLeaseMs, updateKeyHours } = ports;
  const jobId = await authorizeWorker(ports, credential);
  const isKeyOver = (draft: Draft) => {
    const job = draft.findJob(jobId);
    return job !== undefined && isOver(job, draft.now, updateKeyHours);
  };
  return requireThere(
    output.kind === 'final'
      ? await states.changeJob({ jobId }, 'all', (draft) =>
          isKeyOver(draft) ? undefined : decideFinalResults(draft, jobId, output),
        )
      : await states.changeTasks([{ jobId, taskId: output.taskId, need: 'end' }], (draft) =>
          isKeyOver(draft) ? undefined : decideOutput(draft, jobId, output.taskId, workerLeaseMs),
        ),
  );
}

/** A task's output is stored. False: the job had ended, or, on a cluster, is being merged. Else as for an update. */
export function decideOutput(
  draft: Draft,
  jobId: JobId,
  taskId: number,
  workerLeaseMs: number,
): boolean | 'noTask' | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined) return undefined;
  const task = draft.findTask(job.jobKey, taskId);
  if (task === undefined) return 'noTask';
  return job.platform === 'batch'
    ? decideBatchOutput(draft, job, task, workerLeaseMs)
    : decideDirectOutput(draft, job, task);
}

/**
 * The last output may be what the job waits for. What comes when the end on the cluster has already opened the merge is
 * too late: who merges has counted the outputs.
 */
function decideBatchOutput(draft: Draft, { jobKey, state }: JobRow, task: TaskRow, workerLeaseMs: number): boolean {
  if (task.hasOutput) return true;
  if ((isTerminal(state) && state !== 'CANCELED') || draft.openMergeOf(jobKey) !== undefined) return false;
  draft.putTask({ ...task, hasOutput: true });
  if (!isTerminal(state)) endJobIfDone(draft, jobKey, { missing: 'pending', workerLeaseMs });
  return true;
}

/** Output that comes after the last task has ended is what a merge may wait for. */
function decideDirectOutput(draft: Draft, { jobKey, state }: JobRow, task: TaskRow): boolean {
  draft.putTask({ ...task, hasOutput: true });
  if (isTerminal(state)) return false;
  const merge = draft.openMergeOf(jobKey);
  if (state === 'MERGING_QUEUED' && merge?.isExternal === true && isMergeDue(draft.tally(jobKey))) {
    draft.putMerge({ ...merge, dueAt: draft.now });
  }
  return true;
}

/** Final results are stored: they end the job. False: it had ended otherwise; undefined: no such job any more. */
export function decideFinalResults(
  draft: Draft,
  jobId: JobId,
  { contentHash, primaries }: FinalResults,
): boolean | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined) return undefined;
  const { jobKey } = job;
  if (isTerminal(job.state)) return job.endedBy === contentHash;
  const { isPartial, failure, primaries: simulatedPrimaries } = judgeDelivery(draft.tally(jobKey), primaries);
  moveTasks(draft, jobKey, 'jobCompleted');
  closeWork(draft, jobKey);
  moveJob(draft, jobKey, isPartial ? 'deliveredInPart' : 'delivered', { failure });
  draft.putJob({ ...draft.job(jobKey), endedBy: contentHash, simulatedPrimaries });
  return true;
}
