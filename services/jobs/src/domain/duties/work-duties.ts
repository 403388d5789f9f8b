import { backoffMs, type Clock, type Logger, workFor } from '@tally/service-kit';
import type { Duty, DutyOutcome, DutyRoom, DutyStore } from './duty.js';

/** Worked on at once by one copy of the service; results holds a few MiB for each merge. */
const AT_ONCE: DutyRoom = { merges: 8, others: 20 };
/** Nobody else takes a duty for so long; it is held anew while somebody works on it, so that only a crash ends that. */
const HOLD_MS = 15_000;
const RETRY_FIRST_MS = 1_000;

export interface DutyWorkerPorts {
  readonly duties: DutyStore;
  /** Does what a duty asks for; may be repeated, and run twice at once. @param signal - the service stops */
  readonly perform: (duty: Duty, signal: AbortSignal) => Promise<DutyOutcome>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longest pause between two tries. */
  readonly dutyRetryMaxMs: number;
}

export interface DutyWorker {
  /** Takes what is due and for which there is room, and does not wait for its end. @param wake - there may be more now */
  round(wake: () => void): Promise<void>;
  /** Hands back what is in hand. */
  stop(): Promise<void>;
}

/** Works on what is due. A try that fails is made again, later each time, for as long as it takes. */
export function createDutyWorker({ duties, perform, clock, logger, dutyRetryMaxMs }: DutyWorkerPorts): DutyWorker {
  const inHand = new Map<string, { readonly duty: Duty; readonly work: Promise<void> }>();
  const stopping = new AbortController();
  /** More may be due than there was room for. */
  let mayBeMore = false;
  let heldAtMs = clock.monotonicMs();

  const attempt = async (duty: Duty): Promise<void> => {
    try {
      const facts = { job_id: duty.jobId };
      const origin = { requestId: duty.requestId ?? undefined, traceparent: duty.traceparent ?? undefined };
      const outcome = await workFor(origin, duty.kind, facts, () => perform(duty, stopping.signal));
      if (outcome === 'done') await duties.finish(duty.id);
      else if (outcome !== 'stored') await duties.postpone(duty.id, outcome.againAfterMs);
    } catch (err) {
      const isStopped = stopping.signal.aborted;
      if (!isStopped && duty.tryCount === 1)
        logger.warn({ err, duty: duty.kind, job_id: duty.jobId }, 'duty failed, trying again');
      await duties.postpone(duty.id, isStopped ? 0 : backoffMs(RETRY_FIRST_MS, dutyRetryMaxMs, duty.tryCount - 1));
    }
  };
  const begin = (duty: Duty, onEnd: () => void) => {
    const work = attempt(duty)
      .catch((err: unknown) =>
        logger.warn({ err, duty: duty.kind, job_id: duty.jobId }, 'duty is left to be found again'),
      )
      .finally(() => {
        inHand.delete(duty.id);
        if (mayBeMore) onEnd();
      });
    inHand.set(duty.id, { duty, work });
  };
  const holdAgain = async () => {
    if (inHand.size === 0 || clock.monotonicMs() - heldAtMs < HOLD_MS / 3) return;
    await duties.hold([...inHand.keys()], HOLD_MS);
    heldAtMs = clock.monotonicMs();
  };
  const findRoom = (): DutyRoom => {
    const merges = [...inHand.values()].filter(({ duty }) => duty.kind === 'merge').length;
    return { merges: AT_ONCE.merges - merges, others: AT_ONCE.others - (inHand.size - merges) };
  };

  return {
    round: async (wake) => {
      await holdAgain();
      const room = findRoom();
      if (room.merges + room.others === 0 || stopping.signal.aborted) return;
      const due = await duties.takeDue(room, HOLD_MS);
      const mergeCount = due.filter(({ kind }) => kind === 'merge').length;
      mayBeMore = mergeCount === room.merges || due.length - mergeCount === room.others;
      for (const duty of due) begin(duty, wake);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([...inHand.values()].map(({ work }) => work));
    },
  };
}
