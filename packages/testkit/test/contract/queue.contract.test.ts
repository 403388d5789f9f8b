// One contract for both adapters of service-kit's queue port. It lies here and not in service-kit because it needs real
// brokers, and the testkit already depends on service-kit.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Delivery,
  MESSAGE_SIZE_BYTES_MAX,
  openQueue,
  type Queue,
  type QueueErrorReason,
  type QueueMessage,
  silentLogger,
} from '@tally/service-kit';
import { createTestDatabase } from '../../src/postgres/migrated-database.js';
import { createTestBroker } from '../../src/rabbitmq/test-broker.js';
import { waitFor } from '../../src/wait-for.js';

const RETRY_DELAY_MS = 400;
const TOPOLOGY = {
  queues: [
    { name: 'work', deliveryLimit: 3, retryDelayMs: RETRY_DELAY_MS },
    { name: 'other', deliveryLimit: 3, retryDelayMs: RETRY_DELAY_MS },
  ],
};
const NEVER = new AbortController().signal;

/** Where a queue of this test lives; every call gives an empty one. */
type Site = () => Promise<{ url: string; drop(): Promise<void> }>;

const SITES: readonly [string, Site][] = [
  ['RabbitMQ', async () => ({ ...(await createTestBroker()), drop: () => Promise.resolve() })],
  ['PostgreSQL', () => createTestDatabase()],
];

function message(id: string, body = id): QueueMessage {
  return { id, body: Buffer.from(body), headers: { 'x-request-id': `request of ${id}` } };
}

function text({ message: { body } }: Delivery): string {
  return Buffer.from(body).toString();
}

const failure = (reason: QueueErrorReason) => ({ name: 'QueueError', reason });

describe.each(SITES)('a queue on %s', (_name, createSite) => {
  let site: Awaited<ReturnType<Site>>;
  let queue: Queue;
  let opened: Queue[] = [];

  const open = async (): Promise<Queue> => {
    const another = await openQueue(site.url, TOPOLOGY, silentLogger);
    opened.push(another);
    return another;
  };
  beforeEach(async () => {
    site = await createSite();
    queue = await open();
  });
  afterEach(async () => {
    for (const each of opened) await each.close();
    opened = [];
    await site.drop();
  });

  it('delivers what was published, with its id, body and headers', async () => {
    await queue.publish('work', message('a', 'ä\u0000ÿ'));
    const delivery = await queue.receive('work', NEVER);
    expect(delivery.message.id).toBe('a');
    expect(text(delivery)).toBe('ä\u0000ÿ');
    expect(delivery.message.headers).toEqual({ 'x-request-id': 'request of a' });
    expect(delivery.deliveryCount).toBe(1);
  });

  it('wakes a consumer that waits', async () => {
    const waiting = queue.receive('work', NEVER);
    await queue.publish('work', message('a'));
    expect((await waiting).message.id).toBe('a');
  });

  it('delivers every confirmed message once to one of two consumers', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `m${i}`);
    await Promise.all(ids.map((id) => queue.publish('work', message(id))));
    const another = await open();
    const held = [await queue.receive('work', NEVER), await another.receive('work', NEVER)];
    await Promise.all(held.map((delivery) => delivery.ack()));
    const taken = held.map((delivery) => delivery.message.id);
    const all = new AbortController();
    const takeUntilAll = async (consumer: Queue): Promise<void> => {
      for (;;) {
        const delivery = await consumer.receive('work', all.signal).catch(() => undefined);
        if (!delivery) return;
        taken.push(delivery.message.id);
        await delivery.ack();
        if (taken.length >= ids.length) all.abort();
      }
    };
    await Promise.all([takeUntilAll(queue), takeUntilAll(another)]);
    expect(taken.sort()).toEqual([...ids].sort());
    expect(await queue.depth('work')).toBe(0);
  });

  it('takes exactly one message a call and leaves the others to others', async () => {
    for (const id of ['a', 'b', 'c']) await queue.publish('work', message(id));
    const held = await queue.receive('work', NEVER);
    await waitFor(async () => (await queue.depth('work')) === 2);
    await held.ack();
    const other = await open();
    expect((await other.receive('work', NEVER)).message.id).toBe('b');
    expect(await queue.depth('work')).toBe(1);
  });

  it('keeps its queues apart', async () => {
    await queue.publish('other', message('a'));
    const stop = AbortSignal.timeout(300);
    await expect(queue.receive('work', stop)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await queue.depth('other')).toBe(1);
  });

  it('delivers again what a consumer held when it died', async () => {
    const consumer = await open();
    await queue.publish('work', message('a'));
    await consumer.receive('work', NEVER);
    await consumer.close();
    const again = await queue.receive('work', NEVER);
    expect(again.message.id).toBe('a');
    expect(again.deliveryCount).toBe(2);
  });

  it('moves a message to the dead letters whose consumers died deliveryLimit times', async () => {
    await queue.publish('work', message('poison'));
    for (const count of [1, 2, 3]) {
      const consumer = await open();
      expect((await consumer.receive('work', NEVER)).deliveryCount).toBe(count);
      await consumer.close();
    }
    const stop = AbortSignal.timeout(1_000);
    await expect(queue.receive('work', stop)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await queue.receive('work.dead', NEVER)).message.id).toBe('poison');
  });

  it('brings a retried message back after the delay, not before', async () => {
    await queue.publish('work', message('a'));
    const delivery = await queue.receive('work', NEVER);
    const start = performance.now();
    await delivery.retry();
    const again = await queue.receive('work', NEVER);
    const waitedMs = performance.now() - start;
    expect(waitedMs).toBeGreaterThan(RETRY_DELAY_MS - 50);
    expect(again.deliveryCount).toBe(2);
    expect(again.message).toEqual({ ...delivery.message, body: expect.anything() });
  });

  it('does not hold others up while one is away for a retry', async () => {
    await queue.publish('work', message('a'));
    await (await queue.receive('work', NEVER)).retry();
    await queue.publish('work', message('b'));
    expect((await queue.receive('work', NEVER)).message.id).toBe('b');
  });

  it('moves a message to the dead letters that was retried deliveryLimit times', async () => {
    await queue.publish('work', message('a'));
    for (const count of [1, 2, 3]) {
      const delivery = await queue.receive('work', NEVER);
      expect(delivery.deliveryCount).toBe(count);
      await delivery.retry();
    }
    expect((await queue.receive('work.dead', NEVER)).message.id).toBe('a');
    expect(await queue.depth('work')).toBe(0);
  });

  it('counts retries and deaths of consumers together', async () => {
    await queue.publish('work', message('a'));
    await (await queue.receive('work', NEVER)).retry();
    for (const count of [2, 3]) {
      const consumer = await open();
      expect((await consumer.receive('work', NEVER)).deliveryCount).toBe(count);
      await consumer.close();
    }
    const stop = AbortSignal.timeout(1_000);
    await expect(queue.receive('work', stop)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await queue.receive('work.dead', NEVER)).message.id).toBe('a');
  });

  it('moves a rejected message to the dead letters at once, and keeps it when it is put back there', async () => {
    await queue.publish('work', message('a'));
    await (await queue.receive('work', NEVER)).reject();
    const dead = await queue.receive('work.dead', NEVER);
    expect(dead.message).toEqual({ ...message('a'), body: expect.anything() });
    await dead.reject();
    expect((await queue.receive('work.dead', NEVER)).message.id).toBe('a');
  });

  it('refuses a message that is too large', async () => {
    const body = new Uint8Array(MESSAGE_SIZE_BYTES_MAX + 1);
    await expect(queue.publish('work', { id: 'a', body, headers: {} })).rejects.toMatchObject(
      failure('MESSAGE_TOO_LARGE'),
    );
    await queue.publish('work', { id: 'b', body: body.subarray(1), headers: {} });
    expect((await queue.receive('work', NEVER)).message.body.byteLength).toBe(MESSAGE_SIZE_BYTES_MAX);
  });

  it('refuses a queue that is not declared', async () => {
    await expect(queue.publish('nowhere', message('a'))).rejects.toMatchObject(failure('UNKNOWN_QUEUE'));
    await expect(queue.publish('work.dead', message('a'))).rejects.toMatchObject(failure('UNKNOWN_QUEUE'));
    await expect(queue.receive('nowhere', NEVER)).rejects.toMatchObject(failure('UNKNOWN_QUEUE'));
  });

  it('refuses to settle a delivery twice', async () => {
    await queue.publish('work', message('a'));
    const delivery = await queue.receive('work', NEVER);
    await delivery.ack();
    for (const settle of ['ack', 'retry', 'reject'] as const) {
      await expect(delivery[settle]()).rejects.toMatchObject(failure('DELIVERY_LOST'));
    }
    expect(await queue.depth('work.dead')).toBe(0);
  });

  it('stops waiting when it is told to, and takes nothing afterwards', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const waiting = queue.receive('work', stop.signal);
    setImmediate(() => stop.abort(reason));
    await expect(waiting).rejects.toBe(reason);
    await expect(queue.receive('work', stop.signal)).rejects.toBe(reason);
    await queue.publish('work', message('a'));
    expect((await queue.receive('work', NEVER)).message.id).toBe('a');
  });

  it('rejects whoever waits when it is closed, and everything after', async () => {
    const waiting = queue.receive('work', NEVER);
    const outcome = expect(waiting).rejects.toMatchObject(failure('CLOSED'));
    await queue.close();
    await outcome;
    await expect(queue.publish('work', message('a'))).rejects.toMatchObject(failure('CLOSED'));
    await expect(queue.health()).rejects.toMatchObject(failure('CLOSED'));
    await queue.close();
  });

  it('is opened by many at once', async () => {
    const many = await Promise.all([1, 2, 3, 4].map(open));
    await Promise.all(many.map((each) => each.health()));
  });
});
