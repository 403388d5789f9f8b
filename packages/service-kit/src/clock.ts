import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the domain sees it; tests give a clock of their own. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The real clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined), // rejects only when aborted
};
