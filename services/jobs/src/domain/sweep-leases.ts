import type { Clock } from '@tally/service-kit';
import type { MergeStore } from './ports.js';
import { reportMergeEnd } from './report-merge-end.js';
import { type EndTaskPorts, endAttempt } from './report-task-end.js';

export interface SweepPorts extends EndTaskPorts {
  readonly merges: MergeStore;
  readonly clock: Clock;
  readonly leaseMs: number;
}

const BATCH = 200;

/**
 * Finds workers that are not heard of any more, and lets somebody else do their work. It declares nobody lost before it
 * has seen the database answer for a whole lease: after a start, a pause or a fault the silence may have been ours.
 */
export function leaseSweeper(ports: SweepPorts): () => Promise<void> {
  let answeringSince: number | undefined;
  let lastAnswerAt = 0;
  return async () => {
    const now = ports.clock.now().getTime();
    if (answeringSince === undefined || now - lastAnswerAt > ports.leaseMs) answeringSince = now;
    try {
      const attempts = await ports.tasks.listExpiredAttempts(BATCH);
      const merges = await ports.merges.listExpiredMerges(BATCH);
      lastAnswerAt = now;
      if (now - answeringSince < ports.leaseMs) return;
      for (const attemptId of attempts) await endAttempt(ports, attemptId, { kind: 'lost' });
      for (const mergeId of merges) await reportMergeEnd(ports, mergeId, undefined, { kind: 'lost' });
    } catch (err) {
      answeringSince = undefined;
      throw err;
    }
  };
}
