import { combineSignals, type Logger } from '@tally/service-kit';
import { failureFacts, newFailure, toFailure } from './errors.js';
import type { Lease, TaskFolder, TaskPorts } from './ports.js';
import { isRefusal, type Outcome, retryTerms, retryToOutcome } from './retry.js';
import type { LogShipper } from './ship-log.js';
import type { TaskEnd } from './task.js';

/** An attempt whose end is in its folder, and which is still ours. */
export interface SealedTask {
  readonly folder: TaskFolder;
  readonly end: TaskEnd;
  readonly shipper: LogShipper;
  readonly lease: Lease;
  readonly logger: Logger;
}

/**
 * Sends a sealed attempt: its log and output, then its end, each until it is acknowledged or refused for good. Then the
 * folder is removed. When the runner ends first (`quit`) the folder stays, and the next start delivers it.
 */
export async function deliverTask(ports: TaskPorts, task: SealedTask, quit: AbortSignal): Promise<void> {
  const { folder, lease, logger } = task;
  const { signal, end: endSignal } = combineSignals(lease.revoked, quit);
  const own = { ...ports, logger };
  try {
    const end = await storeTask(own, task, signal);
    const report = () => ports.jobs.reportTaskEnd(folder.order.attemptId, end, signal);
    const reported = await retryToOutcome(report, retryTerms(own, ports.limits.deliveryTimeLimitMs, signal, 'end'));
    if (reported.kind === 'interrupted' && !lease.revoked.aborted) return; // for the next start
    const isApplied = reported.kind === 'done' && reported.value;
    logger.info({ end: end.kind, ...(end.kind === 'failed' ? failureFacts(end) : {}), isApplied }, 'task ended');
    await folder.remove();
  } finally {
    endSignal();
    lease.end();
  }
}

/** Stores log and output; resolves to the end to report to jobs: one whose output is not taken has failed. */
async function storeTask(
  ports: TaskPorts,
  { folder, end, shipper }: SealedTask,
  signal: AbortSignal,
): Promise<TaskEnd> {
  const hasOutput = end.kind === 'completed';
  const send = async () => {
    const log = await shipper.flush(signal);
    const output = hasOutput ? await folder.openOutput() : undefined;
    if (log === undefined && output === undefined) return;
    const { isLogTaken } = await ports.results.storeTask(folder.order, { log, output }, signal);
    if (!isLogTaken) ports.logger.warn({}, 'log was refused');
  };
  const what = hasOutput ? 'log and output' : 'log';
  const sent = await retryToOutcome(send, retryTerms(ports, ports.limits.deliveryTimeLimitMs, signal, what));
  if (sent.kind === 'done' || sent.kind === 'interrupted') return end;
  ports.logger.error({ err: sent.err }, `${what} could not be delivered`);
  if (!hasOutput) return end;
  const failed = { ...outputFailure(sent), cpuMs: end.cpuMs };
  await folder.seal(failed);
  return failed;
}

function outputFailure(sent: Outcome<void> & { readonly err: unknown }): TaskEnd {
  if (sent.kind === 'expired') return { kind: 'failed', ...newFailure('OUTPUT_UNDELIVERED') };
  const failure = isRefusal(sent.err) ? newFailure('OUTPUT_REFUSED', sent.err.message) : toFailure(sent.err);
  return { kind: 'failed', ...failure };
}
