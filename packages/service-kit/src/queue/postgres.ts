import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { systemClock } from '../clock.js';
import { listenPostgres, type PostgresListener } from '../database/listener.js';
import type { Logger } from '../logger.js';
import { admitMessage, findQueue, type PlannedQueue, type QueuePlan } from './plan.js';
import * as sql from './postgres-sql.js';
import { type Delivery, type Queue, QueueError, type QueueMessage } from './queue.js';

const POLL_MS = 1_000; // for what has no notification: claims that expire, and notifications lost with a connection
const POOL_SIZE_MAX = 5;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000;
const OPEN_RETRY_DELAYS_MS = [200, 400, 800, 1_600, 3_200, 5_000, 5_000]; // about 15 s

// SQLSTATE (PostgreSQL manual, appendix A) of a server that is going, gone, full or not up yet
const UNAVAILABLE_STATE = /^(?:08|53|57P)/;

function toQueueError(err: unknown): unknown {
  const state = err instanceof pg.DatabaseError ? (err.code ?? '') : undefined;
  if (err instanceof QueueError || (state !== undefined && !UNAVAILABLE_STATE.test(state))) return err;
  return new QueueError('UNAVAILABLE', 'the queue database cannot be reached', { cause: err });
}

function isUnavailable(err: unknown): boolean {
  return err instanceof QueueError && err.reason === 'UNAVAILABLE';
}

/** The queue's database: statements with typed failures. */
class QueueDatabase {
  constructor(private readonly pool: pg.Pool) {}

  async run<Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(statement, [...values])).rows;
    } catch (err) {
      throw toQueueError(err);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

interface ClaimedRow {
  readonly position: string; // bigint
  readonly message_id: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly delivery_count: number;
}

class PostgresDelivery implements Delivery {
  readonly message: QueueMessage;
  readonly deliveryCount: number;

  constructor(
    private readonly database: QueueDatabase,
    private readonly queue: PlannedQueue,
    private readonly row: ClaimedRow,
    private readonly token: string,
    private readonly onSettled: () => void,
  ) {
    this.message = { id: row.message_id, body: row.body, headers: row.headers };
    this.deliveryCount = row.delivery_count;
  }

  ack(): Promise<void> {
    return this.#settle(sql.ACK);
  }

  reject(): Promise<void> {
    const { deadName } = this.queue;
    return deadName === undefined ? this.putBack(0) : this.#settle(sql.DEAD_LETTER, deadName);
  }

  retry(): Promise<void> {
    if (this.queue.deadName !== undefined && this.deliveryCount >= this.queue.deliveryLimit) return this.reject();
    return this.putBack(0);
  }

  /** @param countChange - -1 for a delivery that no consumer has seen */
  putBack(countChange: 0 | -1): Promise<void> {
    return this.#settle(sql.PUT_BACK, countChange === 0 ? this.queue.retryDelayMs : 0, countChange);
  }

  async #settle(statement: string, ...values: unknown[]): Promise<void> {
    // whatever happens now, the claim is renewed no more: should this fail, the message comes back when it runs out
    this.onSettled();
    const rows = await this.database.run(statement, [this.row.position, this.token, ...values]);
    if (rows.length === 0) throw new QueueError('DELIVERY_LOST', 'settled before, or its claim ran out');
  }
}

class PostgresQueue implements Queue {
  readonly #closed = new AbortController();
  /** Tokens of the deliveries that callers of this process hold. */
  readonly #held = new Set<string>();
  readonly #renewal: NodeJS.Timeout;

  constructor(
    private readonly database: QueueDatabase,
    private readonly listener: PostgresListener,
    private readonly plan: QueuePlan,
    private readonly claimMs: number,
    private readonly logger: Logger,
  ) {
    this.#renewal = setInterval(() => void this.#renewClaims(), claimMs / 3);
  }

  async publish(name: string, message: QueueMessage): Promise<void> {
    this.#closed.signal.throwIfAborted();
    const queue = admitMessage(this.plan, name, message);
    const body = Buffer.from(message.body);
    await this.database.run(sql.PUBLISH, [queue.name, message.id, body, JSON.stringify(message.headers)]);
  }

  async receive(name: string, callerSignal: AbortSignal): Promise<Delivery> {
    const queue = findQueue(this.plan, name);
    const signal = AbortSignal.any([callerSignal, this.#closed.signal]);
    for (;;) {
      signal.throwIfAborted();
      const heard = new AbortController();
      const unsubscribe = this.listener.subscribe(queue.name, () => heard.abort()); // before looking: misses nothing
      try {
        const delivery = await this.#claim(queue);
        if (delivery && signal.aborted) await delivery.putBack(-1);
        else if (delivery) return delivery;
        else await systemClock.sleep(await this.#waitMs(queue), AbortSignal.any([signal, heard.signal]));
      } catch (err) {
        if (!isUnavailable(err)) throw err;
        this.logger.warn({ err }, 'waiting for the queue database');
        await systemClock.sleep(POLL_MS, signal);
      } finally {
        unsubscribe();
      }
    }
  }

  async depth(name: string): Promise<number> {
    this.#closed.signal.throwIfAborted();
    const [row] = await this.database.run<{ depth: number }>(sql.DEPTH, [findQueue(this.plan, name).name]);
    return row?.depth ?? 0;
  }

  async health(): Promise<void> {
    this.#closed.signal.throwIfAborted();
    await this.database.run('SELECT 1');
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(new QueueError('CLOSED', 'the queue is closed'));
    clearInterval(this.#renewal);
    await this.listener.close();
    await this.#releaseClaims();
    await this.database.close();
  }

  async #claim(queue: PlannedQueue): Promise<PostgresDelivery | undefined> {
    if (queue.deadName !== undefined) {
      await this.database.run(sql.DEAD_LETTER_EXHAUSTED, [queue.name, queue.deadName, queue.deliveryLimit]);
    }
    const token = randomUUID();
    const [row] = await this.database.run<ClaimedRow>(sql.CLAIM, [queue.name, token, this.claimMs]);
    if (!row) return undefined;
    this.#held.add(token);
    return new PostgresDelivery(this.database, queue, row, token, () => this.#held.delete(token));
  }

  async #waitMs(queue: PlannedQueue): Promise<number> {
    const [row] = await this.database.run<{ wait_ms: number | null }>(sql.NEXT_VISIBLE, [queue.name]);
    // a message that shows itself now and was not ours to take is in another consumer's transaction
    return Math.min(POLL_MS, Math.max(10, row?.wait_ms ?? POLL_MS));
  }

  async #releaseClaims(): Promise<void> {
    if (this.#held.size === 0) return;
    try {
      await this.database.run(sql.RELEASE_CLAIMS, [[...this.#held]]);
    } catch (err) {
      this.logger.warn({ err }, 'claims on messages could not be given back, they run out');
    }
  }

  async #renewClaims(): Promise<void> {
    if (this.#held.size === 0) return;
    try {
      await this.database.run(sql.RENEW_CLAIMS, [[...this.#held], this.claimMs]);
    } catch (err) {
      this.logger.warn({ err }, 'claims on messages could not be renewed');
    }
  }
}

async function createTables(database: QueueDatabase): Promise<void> {
  for (const delayMs of OPEN_RETRY_DELAYS_MS) {
    try {
      await database.run(sql.CREATE_TABLES);
      return;
    } catch (err) {
      if (!isUnavailable(err)) throw err;
      await systemClock.sleep(delayMs);
    }
  }
  await database.run(sql.CREATE_TABLES);
}

/**
 * {@link Queue} in a PostgreSQL database that is the broker's own; creates what it needs there.
 *
 * @param claimMs - a claim on a message that is not renewed for this long is free again; renewed three times as often
 */
export async function openPostgresQueue(url: string, plan: QueuePlan, claimMs: number, logger: Logger): Promise<Queue> {
  const config: pg.PoolConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // a message is confirmed when it is on disk, whatever the server's default is
    options: '-c synchronous_commit=on',
  };
  const pool = new pg.Pool({ ...config, max: POOL_SIZE_MAX });
  pool.on('error', (err) => logger.warn({ err }, 'queue database connection lost'));
  const database = new QueueDatabase(pool);
  try {
    await createTables(database);
  } catch (err) {
    await database.close();
    throw err;
  }
  return new PostgresQueue(database, listenPostgres(config, sql.NOTIFY_CHANNEL, logger), plan, claimMs, logger);
}
