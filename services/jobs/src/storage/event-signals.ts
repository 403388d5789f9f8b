import { type Clock, kitError, type Logger, listenPostgres, startLoop } from '@tally/service-kit';
import type { EventSignals, EventStore, EventSubscription } from '../domain/ports.js';
import { EVENT_CHANNEL } from './statements/events.js';

export interface RunningEventSignals extends EventSignals {
  /** Every subscription, now and later, fails with SERVICE_UNAVAILABLE. */
  endSubscriptions(): void;
  close(): Promise<void>;
}

export interface EventSignalsOptions {
  readonly events: Pick<EventStore, 'listLastEvents'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Between two looks: what is said while the listening connection is down is not heard. */
  readonly pollIntervalMs: number;
}

interface Owner {
  readonly wakes: Set<() => void>;
  readonly unlisten: () => void;
  /** As the last look found it; undefined: there was none yet. */
  lastId: bigint | undefined;
}

/**
 * Hears the notifications of event-announcer.ts on one connection, and now and then looks itself: one statement for all whose
 * events are followed, however many streams there are.
 */
export function listenForEvents(databaseUrl: string, options: EventSignalsOptions): RunningEventSignals {
  const { events, logger, clock, pollIntervalMs } = options;
  const listener = listenPostgres({ connectionString: databaseUrl }, EVENT_CHANNEL, logger, clock);
  const owners = new Map<bigint, Owner>();
  let isEnding = false;

  const wakeAll = ({ wakes }: Owner) => {
    for (const wake of wakes) wake();
  };
  const look = async () => {
    if (owners.size === 0) return;
    for (const { ownerId, lastId } of await events.listLastEvents([...owners.keys()])) {
      const owner = owners.get(ownerId);
      if (owner === undefined || owner.lastId === lastId) continue;
      owner.lastId = lastId;
      wakeAll(owner);
    }
  };
  const looking = startLoop(look, { name: 'event poll', intervalMs: pollIntervalMs, clock, logger });

  const openOwner = (ownerId: bigint): Owner => {
    const wakes = new Set<() => void>();
    const unlisten = listener.subscribe(String(ownerId), () => {
      for (const wake of wakes) wake();
    });
    const owner = { wakes, unlisten, lastId: undefined };
    owners.set(ownerId, owner);
    return owner;
  };
  const subscribe = (ownerId: bigint, signal: AbortSignal): EventSubscription => {
    const owner = owners.get(ownerId) ?? openOwner(ownerId);
    let isWoken = false;
    let resolve = () => {};
    const wake = () => {
      isWoken = true;
      resolve();
    };
    owner.wakes.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    return {
      async wait() {
        if (!isWoken && !isEnding && !signal.aborted) {
          await new Promise<void>((done) => {
            resolve = done;
          });
        }
        isWoken = false;
        if (isEnding) throw kitError('SERVICE_UNAVAILABLE');
      },
      end() {
        signal.removeEventListener('abort', wake);
        owner.wakes.delete(wake);
        if (owner.wakes.size > 0 || owners.get(ownerId) !== owner) return;
        owner.unlisten();
        owners.delete(ownerId);
      },
    };
  };
  return {
    subscribe,
    endSubscriptions: () => {
      isEnding = true;
      for (const owner of owners.values()) wakeAll(owner);
    },
    close: async () => {
      await looking.stop();
      await listener.close();
    },
  };
}
