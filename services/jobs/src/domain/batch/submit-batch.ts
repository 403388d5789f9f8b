import type { BatchBridge, BatchOrder, BatchOutcome, BatchStore, BridgeCommandStore } from './batch-ports.js';
import { endReport } from './batch-report.js';
import { changeByReport, type ReportBatchPorts } from './report-batch.js';

export interface SubmitBatchPorts extends ReportBatchPorts {
  readonly bridge: BatchBridge;
  readonly batch: BatchStore;
  readonly commands: BridgeCommandStore;
  /** How often the intent to submit is repeated while the job is open: a batch-bridge that forgot it hears of it again. */
  readonly errandRepeatMs: number;
}

/**
 * Takes a stored job to batch-bridge. A submission that failed for good ends the job; batch-bridge reports that end, too,
 * and whoever comes first has said it. Safe to repeat.
 * @param waitMs - longest time until the outcome; after it the job is under way
 */
export async function submitBatch(ports: SubmitBatchPorts, order: BatchOrder, waitMs: number): Promise<BatchOutcome> {
  const job = await ports.batch.findBatchJob(order.jobId);
  if (job === undefined) return { kind: 'underway' }; // deleted meanwhile
  const outcome = await ports.bridge.submitBatch(order, job, waitMs);
  if (outcome.kind === 'failed') await changeByReport(ports, order.jobId, endReport(outcome.message));
  await ports.commands.postponeSubmit(order.jobId, ports.errandRepeatMs);
  return outcome;
}
