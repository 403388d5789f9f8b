// What only RabbitMQ can do wrong: the queue port's contract for both brokers is in queue.contract.test.ts.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openQueue, type Queue, silentLogger } from '@tally/service-kit';
import { type ChannelModel, connect } from 'amqplib';
import type { AmqpMethod } from '../../src/rabbitmq/amqp-frames.js';
import { startAmqpProxy } from '../../src/rabbitmq/amqp-proxy.js';
import { createTestBroker } from '../../src/rabbitmq/test-broker.js';
import { waitFor } from '../../src/wait-for.js';

const TOPOLOGY = { queues: [{ name: 'work', deliveryLimit: 3, retryDelayMs: 100 }] };
const MESSAGE = { id: 'a', body: Buffer.of(1), headers: {} };

describe('a queue on RabbitMQ', () => {
  let prefix: string;
  let queue: Queue;
  let admin: ChannelModel;

  beforeEach(async () => {
    const { url } = await createTestBroker();
    prefix = new URL(url).searchParams.get('queue_prefix') ?? '';
    queue = await openQueue(url, TOPOLOGY, silentLogger);
    admin = await connect(url);
  });
  afterEach(async () => {
    await queue.close();
    await admin.close();
  });

  it('names the queue that exists with other arguments', async () => {
    const { url } = await createTestBroker();
    const taken = `${new URL(url).searchParams.get('queue_prefix') ?? ''}work.dead`;
    const channel = await admin.createChannel();
    await channel.assertQueue(taken, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    await expect(openQueue(url, TOPOLOGY, silentLogger)).rejects.toMatchObject({
      cause: {
        message: expect.stringContaining(`queue ${taken} exists at the broker with other arguments: inequivalent arg`),
      },
    });
  }, 60_000);

  it('does not call a message safe that the broker had no queue for', async () => {
    const channel = await admin.createChannel();
    await channel.deleteQueue(`${prefix}work`);
    await expect(queue.publish('work', MESSAGE)).rejects.toMatchObject({ reason: 'UNKNOWN_QUEUE' });
  });

  it('declares its queues again, and goes on, after somebody deleted one under a waiting consumer', async () => {
    const waiting = queue.receive('work', new AbortController().signal);
    const channel = await admin.createChannel();
    await waitFor(async () => (await channel.checkQueue(`${prefix}work`)).consumerCount === 1);
    await channel.deleteQueue(`${prefix}work`);
    await waitFor(() => queue.publish('work', MESSAGE).then(() => true));
    expect((await waiting).message.id).toBe('a');
  });

  it('gets over an error that closes one of its channels', async () => {
    const waiting = queue.receive('work', new AbortController().signal);
    // asking about a queue that is not there is a channel error in AMQP 0-9-1
    const channel = await admin.createChannel();
    await channel.deleteQueue(`${prefix}work.dead`);
    await expect(queue.depth('work.dead')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await waitFor(() => queue.publish('work', MESSAGE).then(() => true));
    expect((await waiting).message.id).toBe('a');
    expect(await queue.depth('work.dead')).toBe(0);
  });
});

describe('a broker that is asked and says nothing', () => {
  /** Opens a queue through a way on which one answer of this kind gets lost; a message must arrive all the same. */
  async function losing(method: AmqpMethod, isOfNewConnection: boolean): Promise<void> {
    const { url } = await createTestBroker();
    const way = await startAmqpProxy(new URL(url).host);
    const address = new URL(url);
    address.host = way.address;
    const queue = await openQueue(address.href, TOPOLOGY, silentLogger);
    try {
      const lost = way.next({ from: 'broker', isWanted: (frame) => frame.method === method, act: () => {} }, 30_000);
      if (isOfNewConnection) way.reset();
      const received = queue.receive('work', new AbortController().signal);
      await waitFor(() => queue.publish('work', MESSAGE).then(() => true), { timeoutMs: 30_000, what: method });
      const delivery = await received;
      expect(delivery.message.id).toBe('a');
      await delivery.ack();
      expect([method, await lost]).toEqual([method, true]);
    } finally {
      await queue.close();
      await way.close();
    }
  }

  it('is given up after a while, and the next connection works', async () => {
    const lost: [AmqpMethod, boolean][] = [
      ['connection.start', true],
      ['connection.open-ok', true],
      ['channel.open-ok', true],
      ['queue.declare-ok', true],
      ['basic.get-empty', false],
      ['basic.consume-ok', false],
      ['basic.cancel-ok', false],
    ];
    await Promise.all(lost.map((one) => losing(...one)));
  }, 60_000);
});
