import { EventEmitter } from 'node:events';
import pg from 'pg';
import { type Clock, systemClock } from '../clock.js';
import type { Logger } from '../logger.js';

/** Receives NOTIFY on one channel, across reconnects; notifications sent while the connection is down are missed. */
export interface PostgresListener {
  /** Calls back at every notification with this payload; returns the way to end it. */
  subscribe(payload: string, onNotification: () => void): () => void;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000; // pollers do without meanwhile

/** Listens on a connection of its own. */
export function listenPostgres(
  config: pg.ClientConfig,
  channel: string,
  logger: Logger,
  clock: Clock = systemClock,
): PostgresListener {
  const notifications = new EventEmitter().setMaxListeners(0);
  const closed = new AbortController();
  const closing = new Promise<void>((resolve) => closed.signal.addEventListener('abort', () => resolve()));

  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client(config);
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    client.on('error', (err) => logger.warn({ err }, 'listening connection lost'));
    client.on('notification', ({ payload }) => notifications.emit(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      await Promise.race([ended, closing]); // not sooner: pg never answers a connect() that is ended meanwhile
    } finally {
      await client.end().catch(() => undefined); // it is gone anyway
    }
  };
  const run = (async () => {
    while (!closed.signal.aborted) {
      await listenOnce().catch((err: unknown) => logger.warn({ err }, 'listening failed, polling instead'));
      await clock.sleep(RECONNECT_MS, closed.signal);
    }
  })();

  return {
    subscribe(payload, onNotification) {
      notifications.on(payload, onNotification);
      return () => notifications.removeListener(payload, onNotification);
    },
    async close() {
      closed.abort();
      await run;
    },
  };
}
