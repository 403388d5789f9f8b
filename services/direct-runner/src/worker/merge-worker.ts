import { workFor } from '@tally/service-kit';
import type { MergePorts, StopSignals } from '../domain/ports.js';
import { runMerge } from '../domain/run-merge.js';
import { claimReceived, type ReceivedMessage } from './claim.js';
import type { Meter } from './meter.js';

/** Takes one message of the merge queue and carries its merge out. */
export function createMergeWorker(
  ports: MergePorts,
  receive: (signal: AbortSignal) => Promise<ReceivedMessage<string>>,
  signals: StopSignals,
  meter: Meter,
): (drain: AbortSignal) => Promise<void> {
  const running = new Set<string>();
  return async (drain) => {
    const received = await receive(drain);
    const mergeId = received.content;
    if (mergeId !== undefined && running.has(mergeId)) return received.ack();
    if (mergeId !== undefined) running.add(mergeId);
    try {
      const order = await claimReceived(ports, received, (id) => ports.jobs.claimMerge(id), drain);
      if (order === undefined) return;
      const end = meter.begin('merge');
      const run = () => meter.busy('merge', () => runMerge(ports, order, signals));
      await workFor(received.origin, 'merge', { job_id: order.jobId }, run).finally(end);
    } finally {
      if (mergeId !== undefined) running.delete(mergeId);
    }
  };
}
