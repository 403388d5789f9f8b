import type { Clock } from './clock.js';
import type { Logger } from './logger.js';

/** Work that is done again and again until it is stopped. */
export interface Loop {
  /** There may be something to do: do not wait for the interval. */
  wake(): void;
  /** Waits for the running round, at most as long as it takes. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  /** Between two rounds, unless one is requested sooner. */
  readonly intervalMs: number | (() => number);
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs `round` at once, after each wake and after each interval, never twice at a time. A round that throws is logged,
 * once until one succeeds again, and tried after the interval.
 */
export function startLoop(round: () => Promise<unknown>, { name, intervalMs, clock, logger }: LoopOptions): Loop {
  const stopping = new AbortController();
  let isWoken = false;
  let interrupt = new AbortController();

  const run = async () => {
    let isFailing = false;
    while (!stopping.signal.aborted) {
      isWoken = false;
      interrupt = new AbortController();
      try {
        await round();
        if (isFailing) logger.info({ loop: name }, 'loop works again');
        isFailing = false;
      } catch (err) {
        if (!isFailing) logger.warn({ loop: name, err }, 'loop failed, trying again');
        isFailing = true;
      }
      const mustWait = !stopping.signal.aborted && (isFailing || !isWoken);
      if (mustWait) await clock.sleep(typeof intervalMs === 'number' ? intervalMs : intervalMs(), interrupt.signal);
    }
  };
  const running = run();
  return {
    wake: () => {
      isWoken = true;
      interrupt.abort('woken');
    },
    stop: async () => {
      stopping.abort();
      interrupt.abort();
      await running;
    },
  };
}
