import type { DutyStore } from '../duties/duty.js';
import type { BatchBridge, BatchOutcome, BatchStore, BatchSubmission } from './batch-ports.js';
import { endReport } from './batch-report.js';
import { changeByReport, type ReportBatchPorts } from './report-batch.js';

export interface SubmitBatchPorts extends ReportBatchPorts {
  readonly bridge: BatchBridge;
  readonly batch: BatchStore;
  readonly duties: Pick<DutyStore, 'repeatSubmit'>;
  /** How often the intent to submit is repeated while the job is open: a batch-bridge that forgot it hears of it again. */
  readonly submitRepeatMs: number;
}

/**
 * Takes a stored job to batch-bridge. A submission that failed for good ends the job; batch-bridge reports that end, too,
 * and whoever comes first has said it. Safe to repeat.
 * @param waitMs - longest time until the outcome; after it the job is under way
 */
export async function submitBatch(
  ports: SubmitBatchPorts,
  submission: BatchSubmission,
  waitMs: number,
): Promise<BatchOutcome> {
  const job = await ports.batch.findBatchJob(submission.jobId);
  if (job === undefined) return { kind: 'underway' }; // deleted meanwhile
  const outcome = await ports.bridge.submitBatch(submission, job, waitMs);
  if (outcome.kind === 'failed') {
    const lastTask = job.tasks.at(-1)?.taskId ?? 0;
    await changeByReport(ports, submission.jobId, endReport(`SUBMISSION_FAILED: ${outcome.message}`, lastTask));
  }
  await ports.duties.repeatSubmit(submission.jobId, ports.submitRepeatMs);
  return outcome;
}
