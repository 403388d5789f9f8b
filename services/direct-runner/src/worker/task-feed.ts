import { type Clock, combineSignals } from '@tally/service-kit';
import type { WorkOrder } from '../domain/task.js';

export interface TaskFeedOptions {
  /** Claims one task, as soon as there is one. `undefined`: that one was not to be had; ask again. */
  readonly claimNext: (signal: AbortSignal) => Promise<WorkOrder | undefined>;
  /** Hands a claimed task back unfinished. Must not reject. */
  readonly release: (order: WorkOrder) => Promise<void>;
  /** Tasks that are claimed before a slot is free for them, while tasks are short. */
  readonly prefetchMax: number;
  /** How long such a task waits at most; there are none while tasks take longer than this in the mean. */
  readonly prefetchHoldMsMax: number;
  /** Nothing is claimed any more. */
  readonly drain: AbortSignal;
  readonly clock: Clock;
}

/** Claimed tasks for the slots of a runner. */
export interface TaskFeed {
  /** The next task. Rejects with what went wrong on the way to it, and when the runner drains. */
  next(): Promise<WorkOrder>;
  /** How long a task that has ended kept its slot. */
  noteDuration(ms: number): void;
  /** Resolves when no claim and no release is under way. */
  settled(): Promise<void>;
}

/** Weight of the last task in the mean duration. */
const LAST_WEIGHT = 0.3;

interface WaitingSlot {
  resolve(order: WorkOrder): void;
  reject(err: unknown): void;
}
interface HeldOrder {
  readonly order: WorkOrder;
  readonly taken: AbortController;
}

/**
 * Claims a task for each slot that is free, and, while tasks are short, `prefetchMax` more, so that a slot need not
 * wait for broker and jobs. Not while they are long: what waits here could run elsewhere. A task that no slot has taken
 * in time, or when the runner drains, is handed back: no attempt of it is used up, and the next ones are claimed for free
 * slots only, until a task has ended again.
 */
export function createTaskFeed(options: TaskFeedOptions): TaskFeed {
  const { claimNext, release, prefetchMax, prefetchHoldMsMax, drain, clock } = options;
  const waiting: WaitingSlot[] = [];
  const held: HeldOrder[] = [];
  const claims = new Map<AbortController, Promise<void>>();
  const releases = new Set<Promise<void>>();
  let meanMs = Number.POSITIVE_INFINITY;

  const wantedCount = () => waiting.length + (meanMs < prefetchHoldMsMax ? prefetchMax : 0);
  /** As many claims as are wanted: those that are missing begin, those too many end, if they have not got a message. */
  const adjust = () => {
    while (!drain.aborted && claims.size + held.length < wantedCount()) startClaim();
    for (const abort of [...claims.keys()].slice(Math.max(0, wantedCount() - held.length))) abort.abort('not wanted');
  };
  const startClaim = () => {
    const abort = new AbortController();
    claims.set(abort, claim(abort));
  };
  const claim = async (abort: AbortController) => {
    const { signal, end } = combineSignals(abort.signal, drain);
    let order: WorkOrder | undefined;
    let fault: unknown;
    try {
      order = await claimNext(signal);
    } catch (err) {
      fault = signal.aborted ? undefined : err;
    }
    end();
    claims.delete(abort);
    // the slot asks again, after a pause; where none waits the next that asks meets the same fault, if it lasts
    if (fault !== undefined) return waiting.shift()?.reject(fault);
    if (order !== undefined) give(order);
    adjust();
  };
  const give = (order: WorkOrder) => {
    const slot = drain.aborted ? undefined : waiting.shift();
    if (slot !== undefined) return slot.resolve(order);
    const kept = hold(order).finally(() => releases.delete(kept));
    releases.add(kept);
  };
  const hold = async (order: WorkOrder) => {
    const entry = { order, taken: new AbortController() };
    held.push(entry);
    const { signal, end } = combineSignals(entry.taken.signal, drain);
    await clock.sleep(Math.min(prefetchHoldMsMax, order.heartbeatMs), signal);
    end();
    if (entry.taken.signal.aborted) return;
    held.splice(held.indexOf(entry), 1);
    meanMs = Number.POSITIVE_INFINITY;
    adjust();
    await release(order);
  };
  const rejectAll = () => {
    for (const slot of waiting.splice(0)) slot.reject(drain.reason);
  };
  drain.addEventListener('abort', rejectAll, { once: true });
  return {
    async next() {
      drain.throwIfAborted();
      const first = held.shift();
      first?.taken.abort('taken');
      const order = first?.order ?? new Promise<WorkOrder>((resolve, reject) => waiting.push({ resolve, reject }));
      adjust();
      return await order;
    },
    noteDuration(ms) {
      meanMs = Number.isFinite(meanMs) ? meanMs + LAST_WEIGHT * (ms - meanMs) : ms;
    },
    async settled() {
      await Promise.all(claims.values());
      await Promise.all(releases);
    },
  };
}
