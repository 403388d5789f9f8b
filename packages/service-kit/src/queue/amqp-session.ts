import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import type { Logger } from '../logger.js';
import { withTimeout } from '../signals/with-timeout.js';
import { type PlannedQueue, type QueuePlan } from './plan.js';
import { QueueError } from './queue.js';

/** What lives as long as one connection to the broker. */
export interface AmqpSession {
  /** Consumers and their acknowledgements; each new consumer gets one message at a time. */
  readonly channel: Channel;
  /** Publishing with confirms, and questions. */
  readonly confirms: ConfirmChannel;
  /** Correlation ids of messages that came back because their queue does not exist; read once, after the confirm. */
  readonly returned: Set<string>;
  /** Aborts when the connection, or one of the channels, is gone. */
  readonly lost: AbortSignal;
  /**
   * What the broker answers. @throws Error when it says nothing for so long: then the session is given up, because whatever else
   * waits for an answer on its channels waits in vain
   */
  readonly answer: <T>(asked: Promise<T>) => Promise<T>;
}

/** A connection that comes back. */
export interface AmqpConnection {
  /** The session of this moment; throws UNAVAILABLE without one. */
  current(): AmqpSession;
  /** The session of this moment or the next one. Rejects with the signal's reason on abort. */
  next(signal: AbortSignal): Promise<AmqpSession>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const HEARTBEAT_SECONDS = 10; // a dead peer is noticed after two missed ones
/** A broker that is well answers in milliseconds; one that has lost the majority of its nodes says nothing, and keeps its heartbeat. */
const ANSWER_TIMEOUT_MS = 10_000;
// about 15 s before the first connection is given up; later ones are never
const RECOVERY = { initialDelay: 200, maxDelay: 5_000, factor: 2, jitter: 0.2, initialMaxRetries: 7 };

// The default (20 in RabbitMQ 4) would drop a dead letter that operators inspect and put back often.
const DEAD_LETTER_DELIVERY_LIMIT = 1_000_000;

/** Where a message waits for its next try: it expires there, and is dead-lettered back to its queue. */
export function retryQueueName(queue: PlannedQueue): string {
  return `${queue.name}.retry`;
}

/** Arguments that dead-letter through the default exchange, and keep a message until the next queue has it. */
function deadLetterTo(queueName: string): Record<string, unknown> {
  return {
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queueName,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish', // the strategy demands it
  };
}

/** Reply code PRECONDITION_FAILED of AMQP 0-9-1. */
const isOtherQueue = (err: unknown): err is Error => err instanceof Error && 'code' in err && err.code === 406;

/** A queue is there with other arguments than ours. */
class OtherQueueError extends Error {
  override readonly name = 'OtherQueueError';
}

function otherArguments(name: string, { message }: Error): string {
  const difference = /inequivalent arg[^"]*/.exec(message)?.[0] ?? message;
  return `queue ${name} exists at the broker with other arguments: ${difference}; remove it there when it is empty`;
}

/** Declares the queues: quorum queues, because nothing less survives the loss of a broker node. */
async function declareQueues(
  { channel, answer }: Pick<AmqpSession, 'channel' | 'answer'>,
  plan: QueuePlan,
): Promise<void> {
  const declare = async (name: string, settings: Record<string, unknown>): Promise<void> => {
    try {
      await answer(channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum', ...settings } }));
    } catch (err) {
      throw isOtherQueue(err) ? new OtherQueueError(otherArguments(name, err)) : err;
    }
  };
  for (const queue of plan.values()) {
    if (queue.deadName === undefined) {
      await declare(queue.name, { 'x-delivery-limit': DEAD_LETTER_DELIVERY_LIMIT });
    } else {
      // the broker counts returns, not deliveries
      const limit = { 'x-delivery-limit': queue.deliveryLimit - 1 };
      await declare(queue.name, { ...limit, ...deadLetterTo(queue.deadName) });
      await declare(retryQueueName(queue), { 'x-message-ttl': queue.retryDelayMs, ...deadLetterTo(queue.name) });
    }
  }
}

async function openSession(model: ChannelModel, plan: QueuePlan, logger: Logger): Promise<AmqpSession> {
  const lost = new AbortController();
  const onError = (err: Error): void => logger.warn({ err }, 'broker connection error');
  model.on('error', onError).on('close', () => lost.abort());
  const giveUp = (): void => {
    if (!lost.signal.aborted) void model.close().catch(() => undefined); // it was closing already
    lost.abort();
  };
  const answer = <T>(asked: Promise<T>): Promise<T> =>
    withTimeout(asked, ANSWER_TIMEOUT_MS, `no answer within ${ANSWER_TIMEOUT_MS} ms`, giveUp);
  const channel = await answer(model.createChannel());
  const confirms = await answer(model.createConfirmChannel());
  for (const each of [channel, confirms]) {
    // half a session is none: have the whole connection mended
    each.on('error', onError).on('close', giveUp);
  }
  const returned = new Set<string>();
  confirms.on('return', ({ properties }) => returned.add(String(properties.correlationId)));
  await declareQueues({ channel, answer }, plan);
  await answer(channel.prefetch(1));
  return { channel, confirms, returned, lost: lost.signal, answer };
}

/** A broker URL with our heartbeat, unless it has its own. */
function withHeartbeat(url: string): string {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return address.href;
}

const NO_CONNECTION = new QueueError('UNAVAILABLE', 'no connection to the broker');

/** Reply codes of AMQP 0-9-1 by which a broker says that it does not let us: access-refused, not-allowed. */
const REFUSAL = /\b(?:403|530)\b[^"]*"([^"]*)/;

/** What amqplib says when a broker ends a connection in place of opening a virtual host; it drops the broker's words. */
const HOST_REFUSAL = /Expected ConnectionOpenOk; got .*ConnectionClose/;

/** What a failed connection means. */
function toQueueError(cause: unknown): QueueError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const [, said] = REFUSAL.exec(text) ?? [];
  const words = HOST_REFUSAL.test(text) ? 'the virtual host is not there, or not for this user' : said;
  if (words !== undefined) return new QueueError('REFUSED', `the broker refuses: ${words}`, { cause });
  if (cause instanceof OtherQueueError) return new QueueError('REFUSED', text, { cause });
  return new QueueError('UNAVAILABLE', 'the broker cannot be reached', { cause });
}

/**
 * Connects, declares the queues, and does so again after every loss of the connection.
 * @throws QueueError REFUSED at once, UNAVAILABLE after about 15 s
 */
export async function connectAmqp(url: string, plan: QueuePlan, logger: Logger): Promise<AmqpConnection> {
  const waiting = new Set<(session: AmqpSession) => void>();
  let session: AmqpSession | undefined;
  const setup = async (model: ChannelModel): Promise<void> => {
    session = await openSession(model, plan, logger);
    for (const resolve of waiting) resolve(session);
  };
  const connection = await connect(withHeartbeat(url), {
    timeout: CONNECT_TIMEOUT_MS,
    noDelay: true,
    recovery: { ...RECOVERY, waitForConnect: false, setup },
  });
  let fault = NO_CONNECTION;
  const first = new Promise<void>((resolve, reject) => {
    connection.once('connect', () => {
      fault = NO_CONNECTION;
      resolve();
    });
    connection.once('reconnect-failed', (err: Error) => reject(toQueueError(err)));
    connection.on('connect-failed', (err: Error) => {
      fault = toQueueError(err);
      if (fault.reason === 'REFUSED') reject(fault); // another try would have the same answer
    });
  });
  connection.on('error', (err: Error) => logger.warn({ err }, 'broker connection error'));
  await first.catch(async (err: unknown) => {
    await connection.close();
    throw err;
  });
  connection.on('disconnect', (err: Error) => logger.warn({ err }, 'broker connection lost'));
  connection.on('connect-failed', (err: Error) => logger.warn({ err }, 'broker cannot be reached'));
  connection.on('connect', () => {
    fault = NO_CONNECTION;
    logger.info({}, 'broker connection is back');
  });
  const live = (): AmqpSession | undefined => (session?.lost.aborted === false ? session : undefined);
  return {
    current() {
      const now = live();
      if (!now) throw fault;
      return now;
    },
    async next(signal) {
      signal.throwIfAborted();
      const now = live();
      if (now) return now;
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(onSession);
          reject(signal.reason);
        };
        const onSession = (next: AmqpSession): void => {
          waiting.delete(onSession);
          signal.removeEventListener('abort', onAbort);
          resolve(next);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(onSession);
      });
    },
    close: () => connection.close(),
  };
}
