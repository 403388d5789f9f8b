import type { Draft } from '../change.js';
import { fail } from '../errors.js';
import type { JobId } from '../job.js';
import { isTerminal } from '../job-state.js';
import { moveJob, moveTask, moveTasks } from '../move-state.js';
import type { StateStore } from '../ports.js';
import type { JobRow } from '../snapshot.js';
import { endJobIfDone } from '../work.js';
import { givenUpdateKey, type UpdateKeySecrets } from '../worker/update-key.js';
import type { BatchStore } from './batch-ports.js';
import type { BatchEnd, BatchReport } from './batch-report.js';
import { decideBatchEnd, SCHEDULER_TRIGGERS } from './batch-report.js';

export interface ReportBatchPorts {
  readonly states: StateStore;
  /** Lease of external workers. */
  readonly workerLeaseMs: number;
}

/**
 * What a cluster's scheduler says of a batch job. Safe to repeat, and to come in any order: a state that has been left is
 * not entered again, and what has ended stays as it is.
 * @returns whether the job is still open
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function reportBatch(ports: ReportBatchPorts, jobId: JobId, report: BatchReport): Promise<boolean> {
  const isOpen = await changeByReport(ports, jobId, report);
  if (isOpen === undefined) throw fail('JOB_NOT_FOUND');
  return isOpen;
}

/** The same; undefined: no such job, or it is not of the batch platform. */
export function changeByReport(
  { states, workerLeaseMs }: ReportBatchPorts,
  jobId: JobId,
  report: BatchReport,
): Promise<boolean | undefined> {
  return states.changeJob({ jobId, platform: 'batch' }, 'all', (draft) =>
    decideBatchReport(draft, jobId, report, workerLeaseMs),
  );
}

/**
 * Only what moves a job or task forward counts. With the end, open tasks FAIL, and the job goes on to its merge, or fails
 * when no task delivered. Returns whether the job is still open; undefined: it is not there.
 */
export function decideBatchReport(
  draft: Draft,
  jobId: JobId,
  report: BatchReport,
  workerLeaseMs: number,
): boolean | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined) return undefined;
  if (isTerminal(job.state)) return false;
  const { jobKey } = job;
  putFacts(draft, job, report);
  const taskKeys = new Map(draft.tasksOf(jobKey).map(({ taskId, taskKey }) => [taskId, taskKey]));
  for (const { taskId, state, failure } of report.tasks) {
    const taskKey = taskKeys.get(taskId);
    const words = state === 'FAILED' ? { failure: failure || UNSAID_FAILURE } : {};
    const isMoved = taskKey !== undefined && moveTask(draft, taskKey, SCHEDULER_TRIGGERS[state], words);
    if (state === 'RUNNING' && isMoved) moveJob(draft, jobKey, 'started'); // false: it is RUNNING already
  }
  // of tasks that had all ended before the job was given others
  const isOfBefore = report.end !== undefined && isEarlier(report.end, draft.tally(jobKey).lastTaskId);
  const end = isOfBefore ? undefined : report.end;
  if (end === undefined) {
    endJobIfDone(draft, jobKey, { missing: 'pending', workerLeaseMs });
  } else {
    const closedCount = moveTasks(draft, jobKey, 'failed', { failure: end.failure });
    endJobIfDone(draft, jobKey, {
      missing: 'lost',
      workerLeaseMs,
      decide: (tally) => decideBatchEnd(end, closedCount, tally),
    });
  }
  return !isTerminal(draft.job(jobKey).state);
}

const isEarlier = ({ lastTask }: BatchEnd, lastTaskId: number) => lastTask > 0 && lastTask < lastTaskId;

const UNSAID_FAILURE = 'REPORTED: its cluster said so';

/** What is not said stays as it is. */
function putFacts(draft: Draft, job: JobRow, { jobDir, arrayId, collectId, waitingReason }: BatchReport): void {
  draft.putJob({
    ...job,
    jobDir: jobDir ?? job.jobDir,
    arrayId: arrayId ?? job.arrayId,
    collectId: collectId ?? job.collectId,
    waitingReason: waitingReason === undefined ? job.waitingReason : waitingReason,
  });
}

/** What batch-bridge has to know of a job while it works for it. */
export interface BatchState {
  /** Numbers of tasks that have ended, ascending. */
  readonly endedTasks: number[];
  /** Key by which its tasks prove themselves; empty: the deployment gives none. */
  readonly updateKey: string;
  /** Running tasks are to end and to leave what they have simulated. */
  readonly mustFinish: boolean;
}

export interface BatchStatePorts {
  readonly batch: BatchStore;
  readonly updateKeys: UpdateKeySecrets;
}

/** The state of a batch job. @throws ServiceError JOB_NOT_FOUND */
export async function getBatchState({ batch, updateKeys }: BatchStatePorts, jobId: JobId): Promise<BatchState> {
  const job = await batch.findBatchJob(jobId);
  if (job === undefined) throw fail('JOB_NOT_FOUND');
  const endedTasks = job.tasks.flatMap(({ taskId, state }) => (isTerminal(state) ? taskId : []));
  return { endedTasks, updateKey: givenUpdateKey(updateKeys, jobId), mustFinish: job.isStopped };
}
