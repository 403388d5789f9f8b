import type { BatchStore } from './batch-ports.js';
import type { BatchReport } from './batch-report.js';
import { fail } from './errors.js';
import { type BatchOrderPorts, getBatchOrder } from './get-batch-order.js';
import type { JobId } from './job.js';
import { isTerminal } from './job-state.js';
import type { Wake } from './ports.js';

export interface ReportBatchPorts {
  readonly batch: BatchStore;
  readonly wake: Wake;
}

/**
 * What a cluster's scheduler says of a batch job. Safe to repeat, and to come in any order: a state that has been left is
 * not entered again, and what has ended stays as it is.
 * @returns whether the job is still open
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function reportBatch(
  { batch, wake }: ReportBatchPorts,
  jobId: JobId,
  report: BatchReport,
): Promise<boolean> {
  const isOpen = await batch.reportBatch(jobId, report);
  if (isOpen === undefined) throw fail('JOB_NOT_FOUND');
  wake.outbox();
  return isOpen;
}

/** What batch-bridge has to know of a job while it works for it. */
export interface BatchState {
  /** Numbers of tasks that have ended, ascending. */
  readonly endedTasks: number[];
  /** Key by which its tasks prove themselves; empty: the deployment gives none. */
  readonly updateKey: string;
}

/** The state of a batch job. @throws ServiceError JOB_NOT_FOUND */
export async function getBatchState(ports: BatchOrderPorts, jobId: JobId): Promise<BatchState> {
  const { tasks, updateKey } = await getBatchOrder(ports, jobId);
  return { endedTasks: tasks.flatMap(({ taskId, state }) => (isTerminal(state) ? taskId : [])), updateKey };
}
