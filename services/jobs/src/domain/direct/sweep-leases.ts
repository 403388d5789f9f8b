import type { Clock } from '@tally/service-kit';
import type { LeaseStore } from '../ports.js';
import { type EndTaskPorts, reportTaskEnd } from './report-task-end.js';

export interface SweepPorts extends EndTaskPorts {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Between two rounds, when nothing is late. */
  readonly sweepIntervalMs: number;
  /** Hears of each that was lost with its worker. */
  readonly onLost: () => void;
}

const BATCH = 200;
/** How late a round may come, by the lease; later than that, heartbeats may not have been heard. */
const STALL_SHARE = 0.5;

/**
 * Finds workers that are not heard of any more, and lets somebody else do their work. It declares nobody lost before it
 * has seen the database answer for a whole lease: after a start, a fault, or a stall of this process, in which heartbeats
 * waited unheard, the silence may have been ours.
 */
export function leaseSweeper(ports: SweepPorts): () => Promise<void> {
  const { leases, leaseMs, sweepIntervalMs, onLost } = ports;
  const pauseMaxMs = sweepIntervalMs + leaseMs * STALL_SHARE;
  let answeringSince: number | undefined;
  let lastAnswerAt = 0;
  const listExpired = async (now: number) => {
    if (answeringSince === undefined || now - lastAnswerAt > pauseMaxMs) answeringSince = now;
    try {
      const expired = await leases.listExpired(BATCH);
      lastAnswerAt = now;
      return { expired, isTrusted: now - answeringSince >= leaseMs };
    } catch (err) {
      answeringSince = undefined;
      throw err;
    }
  };
  return async () => {
    const { expired, isTrusted } = await listExpired(ports.clock.monotonicMs());
    if (!isTrusted) return;
    const lost = { kind: 'lost' } as const;
    const ended = await Promise.allSettled(
      expired.map(async (id) => (await reportTaskEnd(ports, id, lost)) && onLost()),
    );
    // one that fails does not keep the others waiting
    const failure = ended.find((one) => one.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  };
}
