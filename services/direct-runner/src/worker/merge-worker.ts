import type { MergePorts, StopSignals } from '../domain/ports.js';
import { runMerge } from '../domain/run-merge.js';
import { claimReceived, type Received } from './claim.js';
import type { Meter } from './meter.js';

/** Takes one message of the merge queue and carries its merge out. */
export function createMergeWorker(
  ports: MergePorts,
  receive: (signal: AbortSignal) => Promise<Received<string>>,
  signals: StopSignals,
  meter: Meter,
): (drain: AbortSignal) => Promise<void> {
  const running = new Set<string>();
  return async (drain) => {
    const received = await receive(drain);
    const mergeId = received.content;
    if (mergeId !== undefined && running.has(mergeId)) return received.done();
    if (mergeId !== undefined) running.add(mergeId);
    try {
      const order = await claimReceived(ports, received, (id) => ports.jobs.claimMerge(id), drain);
      if (order !== undefined) await meter('merge', () => runMerge(ports, order, signals));
    } finally {
      if (mergeId !== undefined) running.delete(mergeId);
    }
  };
}
