import { failure, failureOf } from './errors.js';
import type { TaskFolder, TaskPorts } from './ports.js';
import { isRefusal, type Persisted, persist, retryOptions } from './retry.js';
import type { LogShipper } from './ship-log.js';
import type { TaskEnd } from './task.js';

/** When to stop trying: jobs does not want it any more, or the runner ends and leaves it for its next start. */
export interface DeliverySignals {
  readonly unwanted: AbortSignal;
  readonly quit: AbortSignal;
}

/**
 * Sends a sealed attempt: its log, its output, then its end, each until it is acknowledged or refused for good. Then
 * the folder is removed. When the runner ends first the folder stays, and the next start delivers it.
 */
export async function deliverTask(
  ports: TaskPorts,
  folder: TaskFolder,
  end: TaskEnd,
  shipper: LogShipper,
  { unwanted, quit }: DeliverySignals,
): Promise<void> {
  const { jobs, logger } = ports;
  const { order } = folder;
  const signal = AbortSignal.any([unwanted, quit]);
  const send = <T>(what: string, work: () => Promise<T>) =>
    persist(work, retryOptions(ports, ports.limits.deliveryTimeLimitMs, signal, what));

  await send('log', () => shipper.flush(signal));
  let told = end;
  if (end.kind === 'completed' && !signal.aborted) {
    const sent = await send('output', async () => {
      await ports.results.putTaskOutput(order, await folder.openOutput(), signal);
    });
    told = toldAfter(sent, end);
    if (told !== end) {
      logger.error({ err: 'err' in sent ? sent.err : undefined }, 'task output was not delivered');
      await folder.seal(told);
    }
  }
  const reported = await send('end', () => jobs.reportTaskEnd(order.attemptId, told, signal));
  if (reported.kind === 'interrupted' && !unwanted.aborted) return; // for the next start
  const isApplied = reported.kind === 'done' && reported.value;
  logger.info({ end: told.kind, ...(told.kind === 'failed' ? { reason: told.reason } : {}), isApplied }, 'task ended');
  await folder.remove();
}

function toldAfter(sent: Persisted<void>, end: TaskEnd): TaskEnd {
  switch (sent.kind) {
    case 'done':
    case 'interrupted':
      return end;
    case 'refused':
      return {
        kind: 'failed',
        ...(isRefusal(sent.err) ? failure('OUTPUT_REFUSED', sent.err.message) : failureOf(sent.err)),
      };
    case 'expired':
      return { kind: 'failed', ...failure('OUTPUT_UNDELIVERED') };
  }
}
