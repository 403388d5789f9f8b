import { randomUUID } from 'node:crypto';
import type { Message, MessageProperties } from 'amqplib';
import type { Logger } from '../logger.js';
import { combineSignals } from '../signals/combine-signals.js';
import { type AmqpConnection, type AmqpSession, connectAmqp, retryQueueName } from './amqp-session.js';
import { admitMessage, findQueue, type PlannedQueue, type QueuePlan } from './plan.js';
import { type Delivery, type Queue, QueueError, type QueueErrorReason, type QueueMessage } from './queue.js';

const CONFIRM_TIMEOUT_MS = 10_000; // a broker that is short of memory or disk accepts messages and says nothing

/** Deliveries before the last retry, which publishes a copy that the broker counts from 0 again. */
const EARLIER_DELIVERIES = 'x-earlier-deliveries';
/** Headers that are the broker's or ours, not the publisher's. */
const INTERNAL_HEADER = /^x-(?:death|first-death-|last-death-|delivery-count|acquired-count|earlier-deliveries)/;

function countDeliveries({ headers }: MessageProperties): number {
  const [returned, earlier] = ['x-delivery-count', EARLIER_DELIVERIES].map((name) => Number(headers?.[name] ?? 0));
  return 1 + (returned ?? 0) + (earlier ?? 0);
}

function readMessage({ content, properties }: Message): QueueMessage {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(properties.headers ?? {})) {
    if (typeof value === 'string' && !INTERNAL_HEADER.test(name)) headers[name] = value;
  }
  return { id: String(properties.messageId ?? ''), body: content, headers };
}

/** Runs an operation on a channel; whatever goes wrong there means that the broker is not available. */
async function ask<T>(what: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    if (cause instanceof QueueError) throw cause;
    throw new QueueError('UNAVAILABLE', `${what} failed at the broker`, { cause });
  }
}

/** Publishes to a queue of that name at the broker; resolves when a majority of its replicas have written it. */
function publishConfirmed(
  session: AmqpSession,
  queueName: string,
  message: QueueMessage,
  ownHeaders: Readonly<Record<string, number>> = {},
): Promise<void> {
  const { confirms, returned } = session;
  const correlationId = randomUUID();
  const options = {
    mandatory: true, // else the broker confirms what it threw away for want of a queue
    persistent: true,
    messageId: message.id,
    correlationId,
    headers: { ...message.headers, ...ownHeaders },
  };
  return new Promise((resolve, reject) => {
    const fail = (reason: QueueErrorReason, text: string, cause?: unknown): void => {
      clearTimeout(timer);
      reject(new QueueError(reason, text, { cause }));
    };
    const timer = setTimeout(
      () => fail('UNAVAILABLE', `no confirm within ${CONFIRM_TIMEOUT_MS} ms`),
      CONFIRM_TIMEOUT_MS,
    );
    const onConfirm = (cause: unknown): void => {
      // the broker sends a message back before it confirms it
      if (returned.delete(correlationId)) return fail('UNKNOWN_QUEUE', `${queueName} does not exist at the broker`);
      if (cause) return fail('UNAVAILABLE', 'the broker did not take the message', cause);
      clearTimeout(timer);
      resolve();
    };
    try {
      confirms.publish('', queueName, Buffer.from(message.body), options, onConfirm);
    } catch (cause) {
      fail('UNAVAILABLE', 'the channel is closed', cause);
    }
  });
}

class AmqpDelivery implements Delivery {
  readonly message: QueueMessage;
  readonly deliveryCount: number;
  #isSettled = false;

  constructor(
    private readonly session: AmqpSession,
    private readonly queue: PlannedQueue,
    private readonly raw: Message,
  ) {
    this.message = readMessage(raw);
    this.deliveryCount = countDeliveries(raw.properties);
  }

  async ack(): Promise<void> {
    this.#settle(() => this.session.channel.ack(this.raw));
  }

  async reject(): Promise<void> {
    const putBack = this.queue.deadName === undefined;
    this.#settle(() => this.session.channel.nack(this.raw, false, putBack));
  }

  async retry(): Promise<void> {
    if (this.queue.deadName === undefined || this.deliveryCount >= this.queue.deliveryLimit) return this.reject();
    this.#assertHeld();
    // first the copy, then the end of the original: a crash in between makes two, never none
    const earlier = { [EARLIER_DELIVERIES]: this.deliveryCount };
    await publishConfirmed(this.session, retryQueueName(this.queue), this.message, earlier);
    await this.ack();
  }

  #assertHeld(): void {
    if (this.#isSettled) throw new QueueError('DELIVERY_LOST', 'this delivery was settled before');
    if (this.session.lost.aborted) throw new QueueError('DELIVERY_LOST', 'the connection of this delivery is gone');
  }

  #settle(send: () => void): void {
    this.#assertHeld();
    try {
      send();
    } catch (cause) {
      throw new QueueError('DELIVERY_LOST', 'the channel of this delivery is closed', { cause });
    }
    this.#isSettled = true;
  }
}

/** One message, as soon as there is one; undefined when the session was lost or the signal aborted while it waited. */
async function takeOne(session: AmqpSession, queueName: string, signal: AbortSignal): Promise<Message | undefined> {
  try {
    const message = await waitForMessage(session, queueName, signal);
    if (session.lost.aborted) return undefined; // what arrived goes back by itself
    if (message === undefined || !signal.aborted) return message;
    session.channel.nack(message, false, true);
    return undefined;
  } catch (cause) {
    if (!session.lost.aborted) throw cause;
    return undefined;
  }
}

/** A message that is there is asked for, at half the cost of a consumer; only where none is there one waits. */
async function waitForMessage(
  { channel, lost, answer }: AmqpSession,
  queueName: string,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const present = await answer(channel.get(queueName));
  if (present !== false) return present;
  const consumerTag = randomUUID();
  const waiting = combineSignals(signal, lost);
  let arrived: Message | undefined;
  const end = new Promise<void>((resolve, reject) => {
    const onMessage = (message: Message | null): void => {
      arrived = message ?? undefined; // null: the broker ended this consumer (its queue moved); ask anew
      resolve();
    };
    if (waiting.signal.aborted) resolve();
    waiting.signal.addEventListener('abort', () => resolve(), { once: true });
    answer(channel.consume(queueName, onMessage, { consumerTag })).catch(reject);
  });
  try {
    await end;
    // before the message is handed out: its acknowledgement would make room for a second one
    if (!lost.aborted) await answer(channel.cancel(consumerTag));
    return arrived;
  } finally {
    waiting.end();
  }
}

class AmqpQueue implements Queue {
  readonly #closed = new AbortController();

  constructor(
    private readonly connection: AmqpConnection,
    private readonly plan: QueuePlan,
  ) {}

  async publish(name: string, message: QueueMessage): Promise<void> {
    this.#closed.signal.throwIfAborted();
    const queue = admitMessage(this.plan, name, message);
    await publishConfirmed(this.connection.current(), queue.name, message);
  }

  async receive(name: string, callerSignal: AbortSignal): Promise<Delivery> {
    const { signal, end } = combineSignals(callerSignal, this.#closed.signal);
    try {
      return await this.#receive(findQueue(this.plan, name), signal);
    } finally {
      end();
    }
  }

  async #receive(queue: PlannedQueue, signal: AbortSignal): Promise<Delivery> {
    for (;;) {
      const session = await this.connection.next(signal);
      const raw = await ask('receive', () => takeOne(session, queue.name, signal)).catch((err: unknown) => {
        signal.throwIfAborted(); // closing the queue makes its consumers fail
        throw err;
      });
      signal.throwIfAborted();
      if (!raw) continue;
      const delivery = new AmqpDelivery(session, queue, raw);
      if (delivery.deliveryCount <= queue.deliveryLimit) return delivery;
      await delivery.reject(); // the broker did not see the deliveries before the last retry
    }
  }

  async depth(name: string): Promise<number> {
    this.#closed.signal.throwIfAborted();
    const queue = findQueue(this.plan, name);
    const { confirms, answer } = this.connection.current();
    return (await ask('depth', () => answer(confirms.checkQueue(queue.name)))).messageCount;
  }

  async health(): Promise<void> {
    this.#closed.signal.throwIfAborted();
    const { confirms, answer } = this.connection.current();
    const [queue] = this.plan.values();
    if (queue) await ask('health', () => answer(confirms.checkQueue(queue.name)));
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(new QueueError('CLOSED', 'the queue is closed'));
    await this.connection.close();
  }
}

/** {@link Queue} on RabbitMQ 3.10 or later. */
export async function openAmqpQueue(url: string, plan: QueuePlan, logger: Logger): Promise<Queue> {
  return new AmqpQueue(await connectAmqp(url, plan, logger), plan);
}
