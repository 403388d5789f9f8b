import type { Logger } from '@tally/service-kit';

/** Finished tasks that are delivered while slots run others. */
export interface Deliveries {
  /** Starts one; resolves when there is room for another. */
  start(delivery: () => Promise<void>): Promise<void>;
  /** Resolves when all that were started have ended. */
  settled(): Promise<void>;
}

/** At most `countMax` at once: whoever makes more has to wait, so that an outage of results ends in waiting slots. */
export function createDeliveries(countMax: number, logger: Logger): Deliveries {
  const running = new Set<Promise<void>>();
  const run = async (delivery: () => Promise<void>) => {
    try {
      await delivery();
    } catch (err) {
      logger.error({ err }, 'delivery failed; the next start of the runner tries again');
    }
  };
  return {
    async start(delivery) {
      const started = run(delivery).finally(() => running.delete(started));
      running.add(started);
      while (running.size >= countMax) await Promise.race(running);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
