// What the queue port promises when its broker dies as in a power cut. Each test has a broker of its own to kill.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openQueue, type Queue, QueueError, silentLogger } from '@tally/service-kit';
import { startOwnPostgres } from '../../src/postgres/postgres.js';
import { crash } from '../../src/process/crash.js';
import { startOwnRabbitmq } from '../../src/rabbitmq/rabbitmq.js';
import { waitFor } from '../../src/wait-for.js';

const TOPOLOGY = { queues: [{ name: 'work', deliveryLimit: 5, retryDelayMs: 100 }] };
const NEVER = new AbortController().signal;
const HOLD_MESSAGE = fileURLToPath(new URL('../fixtures/hold-message.mjs', import.meta.url));
const TIMEOUT_MS = 120_000;

interface Broker {
  readonly url: string;
  readonly power: { cut(): Promise<void>; restore(): Promise<void> };
  stop(): Promise<void>;
}

async function startRabbitmqBroker(): Promise<Broker> {
  const server = await startOwnRabbitmq();
  if (!server?.power) throw new Error('this test needs a RabbitMQ that it may kill: rabbitmq-server or Docker');
  return { url: server.url, power: server.power, stop: () => server.stop() };
}

async function startPostgresBroker(): Promise<Broker> {
  const server = await startOwnPostgres();
  if (!server.power) throw new Error('this test needs a PostgreSQL that it may kill');
  await server.createDatabase('broker');
  const url = `${server.url('broker')}?queue_claim_ms=2000`;
  return { url, power: server.power, stop: () => server.stop() };
}

describe.each<[string, () => Promise<Broker>]>([
  ['RabbitMQ', startRabbitmqBroker],
  ['PostgreSQL', startPostgresBroker],
])('a queue whose %s dies and comes back', (_name, startBroker) => {
  let broker: Broker;
  let url: string;
  let queue: Queue;
  const open = async (): Promise<void> => {
    const own = new URL(broker.url);
    own.searchParams.set('queue_prefix', `${randomUUID()}.`);
    url = own.href;
    queue = await openQueue(url, TOPOLOGY, silentLogger);
  };
  beforeAll(async () => {
    broker = await startBroker();
  }, TIMEOUT_MS);
  afterEach(() => queue.close());
  afterAll(() => broker.stop());

  it(
    'loses nothing that was confirmed, goes on waiting, and says so where it cannot go on',
    async () => {
      await open();
      // kept busy until the power goes, so that the cut comes in the middle of publishing
      const confirmed: string[] = [];
      const failures: unknown[] = [];
      const publishUntilFailure = async (worker: number): Promise<void> => {
        for (let i = 0; failures.length === 0; i++) {
          const id = `${worker}-${i}`;
          try {
            await queue.publish('work', { id, body: Buffer.from(id), headers: {} });
            confirmed.push(id);
          } catch (err) {
            failures.push(err);
          }
        }
      };
      const publishing = Promise.all([0, 1, 2, 3].map(publishUntilFailure));
      await waitFor(() => confirmed.length > 50);
      await broker.power.cut();
      await publishing;
      for (const err of failures) expect(err).toMatchObject({ name: 'QueueError', reason: 'UNAVAILABLE' });
      await expect(queue.health()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      await expect(queue.publish('work', { id: 'x', body: Buffer.of(1), headers: {} })).rejects.toMatchObject({
        reason: 'UNAVAILABLE',
      });

      await broker.power.restore();
      await waitFor(() => queue.health().then(() => true));
      // what was on its way at the cut may have arrived without its confirm: allowed, and none of ours to count
      const received = new Set<string>();
      while (confirmed.some((id) => !received.has(id))) {
        const delivery = await queue.receive('work', NEVER);
        received.add(delivery.message.id);
        await delivery.ack();
      }
      expect(confirmed.filter((id) => !received.has(id))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'lets a waiting receive wait on, and takes back what was in hands',
    async () => {
      await open();
      await queue.publish('work', { id: 'held', body: Buffer.of(1), headers: {} });
      const held = await queue.receive('work', NEVER);
      const waiting = queue.receive('work', NEVER);

      await broker.power.cut();
      await waitFor(() =>
        held.ack().then(
          () => false,
          (err: unknown) => err instanceof QueueError,
        ),
      );
      await broker.power.restore();
      await waitFor(() => queue.publish('work', { id: 'next', body: Buffer.of(2), headers: {} }).then(() => true));
      const first = await waiting;
      const rest = first.message.id === 'held' ? 'next' : 'held';
      await first.ack();
      expect(['held', 'next']).toContain(first.message.id);
      const second = await queue.receive('work', NEVER);
      expect(second.message.id).toBe(rest);
      await second.ack();
    },
    TIMEOUT_MS,
  );

  it(
    'delivers again what a consumer held when its process was killed',
    async () => {
      await open();
      await queue.publish('work', { id: 'a', body: Buffer.of(1), headers: {} });
      const consumer = spawn(process.execPath, [HOLD_MESSAGE], {
        env: { PATH: process.env.PATH, QUEUE_URL: url },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(consumer.stdout.setEncoding('utf8'), 'data');
      expect(line).toBe('holding a\n');
      expect(await queue.depth('work')).toBe(0);

      await crash(consumer.pid ?? 0);
      const again = await queue.receive('work', NEVER);
      expect(again.message.id).toBe('a');
      expect(again.deliveryCount).toBe(2);
      await again.ack();
    },
    TIMEOUT_MS,
  );
});
