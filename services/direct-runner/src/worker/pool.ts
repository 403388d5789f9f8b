import type { Clock, Logger } from '@tally/service-kit';

export interface PoolOptions {
  /** Items worked on at once. */
  readonly slots: number;
  /** Takes one item and works it off; called again when it resolves. A slot asks only when it is free. */
  readonly takeNext: (drain: AbortSignal) => Promise<void>;
  /** No slot takes anything after this. */
  readonly drain: AbortSignal;
  /** Pause of a slot after an unexpected error. */
  readonly errorPauseMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs slots until `drain`; resolves when the last one has finished what it was doing. */
export async function runPool(options: PoolOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.slots }, () => runSlot(options)));
}

async function runSlot({ takeNext, drain, errorPauseMs, clock, logger }: PoolOptions): Promise<void> {
  while (!drain.aborted) {
    try {
      await takeNext(drain);
    } catch (err) {
      if (drain.aborted) return;
      logger.error({ err }, 'slot failed');
      await clock.sleep(errorPauseMs, drain);
    }
  }
}
