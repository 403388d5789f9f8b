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
  const listExpired = async (now: number) => {
    if (answeringSince === undefined || now - lastAnswerAt > ports.leaseMs) answeringSince = now;
    try {
      const attempts = await ports.tasks.listExpiredAttempts(BATCH);
      const merges = await ports.merges.listExpiredMerges(BATCH);
      lastAnswerAt = now;
      return { attempts, merges, isTrusted: now - answeringSince >= ports.leaseMs };
    } catch (err) {
      answeringSince = undefined;
      throw err;
    }
  };
  return async () => {
    const { attempts, merges, isTrusted } = await listExpired(ports.clock.now().getTime());
    if (!isTrusted) return;
    await inTurn([
      ...attempts.map((attemptId) => () => endAttempt(ports, attemptId, { kind: 'lost' })),
      ...merges.map((mergeId) => () => reportMergeEnd(ports, mergeId, undefined, { kind: 'lost' })),
    ]);
  };
}

/** One after the other; one that fails does not keep the others waiting. @throws the first error, at the end */
async function inTurn(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works) await work().catch((err: unknown) => errors.push(err));
  if (errors.length > 0) throw errors[0];
}
