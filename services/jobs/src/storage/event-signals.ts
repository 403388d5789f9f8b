import { type Clock, kitError, type Logger, listenPostgres } from '@tally/service-kit';
import type { EventSignals, EventSubscription } from '../domain/ports.js';

/** Channel on which the triggers of job_events name the owner. */
const CHANNEL = 'job_events';

export interface RunningEventSignals extends EventSignals {
  /** Every subscription, now and later, fails with SERVICE_UNAVAILABLE. */
  endSubscriptions(): void;
  close(): Promise<void>;
}

export interface EventSignalsOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Longest wait: what is said while the listening connection is down is not heard. */
  readonly pollIntervalMs: number;
}

/** Hears the notifications that PostgreSQL sends when a transaction with events commits, on one connection. */
export function listenForEvents(databaseUrl: string, options: EventSignalsOptions): RunningEventSignals {
  const { logger, clock, pollIntervalMs } = options;
  const listener = listenPostgres({ connectionString: databaseUrl }, CHANNEL, logger, clock);
  const wakes = new Set<() => void>();
  let isEnding = false;

  const subscribe = (ownerId: bigint, signal: AbortSignal): EventSubscription => {
    let isWoken = false;
    let waiting = new AbortController();
    const wake = () => {
      isWoken = true;
      waiting.abort();
    };
    wakes.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    const unlisten = listener.subscribe(String(ownerId), wake);
    return {
      async wait() {
        waiting = new AbortController();
        if (!isWoken && !isEnding) await clock.sleep(pollIntervalMs, waiting.signal);
        isWoken = false;
        if (isEnding) throw kitError('SERVICE_UNAVAILABLE');
      },
      end() {
        unlisten();
        wakes.delete(wake);
        signal.removeEventListener('abort', wake);
      },
    };
  };
  return {
    subscribe,
    endSubscriptions: () => {
      isEnding = true;
      for (const wake of wakes) wake();
    },
    close: () => listener.close(),
  };
}
