/** Time as the domain sees it; tests give a clock of their own. */
export interface Clock {
  /** For what is shown or stored. It may be set: durations are those of {@link Clock.monotonicMs}. */
  now(): Date;
  /** Milliseconds since whenever, of a clock that nobody sets. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The real clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  // not timers/promises: an abort would make two error objects with stacks that nobody reads
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake, { once: true });
    });
  },
};
