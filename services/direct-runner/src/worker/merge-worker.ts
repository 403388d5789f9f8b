import { type Origin, workFor } from '@tally/service-kit';
import type { MergeOrder } from '../domain/merge.js';
import type { MergePorts, StopSignals } from '../domain/ports.js';
import { runMerge } from '../domain/run-merge.js';
import { claimReceived, type ReceivedMessage } from './claim.js';
import type { Meter } from './meter.js';

/** Carries merges out. */
export interface MergeRunner {
  /** Claims a merge, unless `claim` says that there is nothing to do, and carries it out. False: it is under way here already. */
  run(mergeId: string, origin: Origin, claim: () => Promise<MergeOrder | undefined>): Promise<boolean>;
}

export function createMergeRunner(ports: MergePorts, signals: StopSignals, meter: Meter): MergeRunner {
  const running = new Set<string>();
  const runClaimed = async (order: MergeOrder, origin: Origin) => {
    const end = meter.begin('merge');
    const run = () => meter.busy('merge', () => runMerge(ports, order, signals));
    await workFor(origin, 'merge', { job_id: order.jobId }, run).finally(end);
  };
  return {
    async run(mergeId, origin, claim) {
      if (running.has(mergeId)) return false;
      running.add(mergeId);
      try {
        const order = await claim();
        if (order !== undefined) await runClaimed(order, origin);
      } finally {
        running.delete(mergeId);
      }
      return true;
    },
  };
}

/** Takes one message of the merge queue and carries its merge out. */
export function createMergeWorker(
  ports: MergePorts,
  receive: (signal: AbortSignal) => Promise<ReceivedMessage<string>>,
  merges: MergeRunner,
): (drain: AbortSignal) => Promise<void> {
  return async (drain) => {
    const received = await receive(drain);
    const claim = () => claimReceived(ports, received, (id) => ports.jobs.claimMerge(id), drain);
    const { content: mergeId, origin } = received;
    if (mergeId === undefined)
      await claim(); // it says so, and is done with it
    else if (!(await merges.run(mergeId, origin, claim))) await received.ack();
  };
}
