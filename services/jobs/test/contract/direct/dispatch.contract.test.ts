import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs, QUEUE_TOPOLOGY, TASK_QUEUE } from '@tally/contracts';
import { lazyQueue, openQueue, silentLogger } from '@tally/service-kit';
import { createTestBroker, waitFor } from '@tally/testkit';
import { createPublisher } from '../../../src/amqp/publisher.js';
import { dispatchMessages } from '../../../src/domain/direct/dispatch-messages.js';
import type { Publisher } from '../../../src/domain/ports.js';
import { openDatabase } from '../../../src/storage/database.js';
import { createOutbox } from '../../../src/storage/outbox.js';
import {
  as,
  claimNextTask,
  completeNextTask,
  mergeNext,
  openSuite,
  receiveTask,
  type Suite,
  submission,
  waitForState,
} from '../../suite.js';

let suite: Suite;
/** JOBS_DISPATCH_WINDOW_TASKS, the default. */
const WINDOW_TASKS = 4;
const [alice, bob] = [1n, 2n];
const submit = (userId: bigint, taskCount = 1) =>
  as(userId, () => suite.client('gateway').submitJob(submission({ taskCount }, 5_000)));
const inFlight = async () =>
  (await suite.sql<{ n: number }>('SELECT count(*)::int AS n FROM outbox WHERE in_flight_until > now()'))[0]?.n;

const ADAPTERS = [
  { adapter: 'PostgreSQL', queueUrl: async () => undefined },
  { adapter: 'RabbitMQ', queueUrl: async () => (await createTestBroker()).url },
];

describe('a copy that dies', () => {
  const settings = {
    dispatchWindowTasks: 8,
    publishTimeoutMs: 60_000,
    redispatchAfterMs: 60_000,
    redispatchAfterMaxMs: 60_000,
  };
  /** The outbox of a copy that stops before the given step. */
  const dyingCopy = async (publisher: Publisher, diesBeforeMark: boolean) => {
    const database = openDatabase(suite.database.url, 2);
    const outbox = createOutbox(database, { runningTasksPerUserMax: 0 });
    const death = new Error('killed');
    const dying = {
      ...outbox,
      giveBack: () => Promise.reject(death),
      ...(diesBeforeMark ? { markPublished: () => Promise.reject(death) } : {}),
    };
    await expect(dispatchMessages({ outbox: dying, publisher, settings })).rejects.toBe(death);
    await database.close();
  };

  const reservationsEnd = () => suite.sql('UPDATE outbox SET in_flight_until = now()');

  beforeEach(async () => {
    suite = await openSuite();
  });
  afterEach(() => suite.stop());

  it('between storing a job and publishing it loses nothing: another copy publishes', async () => {
    const unreachable = 'amqp://127.0.0.1:1';
    const first = await suite.start({ queueUrl: unreachable, graceMs: 500, publishTimeoutMs: 300 });
    const { jobId } = await submit(alice); // answered although the broker is down
    await first.stop();
    expect(await suite.queue.depth(TASK_QUEUE)).toBe(0);
    await suite.start();
    expect((await receiveTask(suite.queue)).task.jobId).toBe(jobId);
  });

  it('after taking a message and before publishing it loses nothing', async () => {
    const broken: Publisher = { publish: () => Promise.reject(new Error('no broker')) };
    const first = await suite.start({ queueUrl: 'amqp://127.0.0.1:1', graceMs: 500 });
    const { jobId } = await submit(alice);
    await first.stop();
    await suite.sql('UPDATE outbox SET in_flight_until = NULL');
    await dyingCopy(broken, false);
    expect(await inFlight()).toBe(1);
    await reservationsEnd();
    await suite.start();
    expect((await receiveTask(suite.queue)).task.jobId).toBe(jobId);
  });

  it('after publishing and before noting it sends it twice, and it is done once', async () => {
    const first = await suite.start({ queueUrl: 'amqp://127.0.0.1:1', graceMs: 500 });
    await submit(alice);
    await first.stop();
    await suite.sql('UPDATE outbox SET in_flight_until = NULL');
    const lazy = lazyQueue(() => openQueue(suite.queueUrl, QUEUE_TOPOLOGY, silentLogger));
    await dyingCopy(createPublisher(lazy, 5_000), true);
    await lazy.close();
    await reservationsEnd();
    const second = await suite.start();
    const [one, two] = [await receiveTask(suite.queue), await receiveTask(suite.queue)];
    expect(two.task).toEqual(one.task);
    const runner = suite.client('direct-runner', second);
    const claims = await Promise.all(
      [one, two].map(({ task }, n) => runner.claimTask({ attemptId: task.attemptId, runnerId: `runner-${n}` })),
    );
    expect(claims.filter((order) => order === undefined)).toHaveLength(1);
  });
});

describe.each(ADAPTERS)('the dispatcher on $adapter', ({ queueUrl }) => {
  beforeEach(async () => {
    suite = await openSuite(await queueUrl());
  });
  afterEach(() => suite.stop());

  it('keeps a window of tasks in the queue and fills it as they are claimed', async () => {
    await suite.start({ dispatchWindowTasks: 4 });
    await submit(alice, 20);
    await waitFor(async () => (await suite.queue.depth(TASK_QUEUE)) === 4);
    expect(await inFlight()).toBe(4);
    const runner = suite.client('direct-runner');
    const claimed = new Set<number>();
    for (let i = 0; i < 20; i++) {
      claimed.add((await claimNextTask(suite.queue, runner)).order.taskId);
      expect(await inFlight()).toBeLessThanOrEqual(4);
    }
    expect(claimed.size).toBe(20);
    expect(await suite.sql('SELECT 1 FROM outbox')).toEqual([]);
  });

  it("starts the task of whoever comes late after those in the window, whatever another user's 1000 tasks", async () => {
    await suite.start();
    await submit(alice, 1000);
    await waitFor(async () => (await inFlight()) === WINDOW_TASKS);
    const runner = suite.client('direct-runner');
    for (const late of [bob, 11n, 12n, bob]) {
      const { jobId } = await submit(late);
      const before: string[] = [];
      for (;;) {
        const { order } = await claimNextTask(suite.queue, runner);
        if (order.jobId === jobId) break;
        before.push(order.jobId);
      }
      // messages of one round are published at once: a queue in PostgreSQL may put one of another before it
      expect(before.length).toBeLessThanOrEqual(WINDOW_TASKS + 1);
    }
  });

  it('runs a job to its end, merge included', async () => {
    await suite.start();
    const { jobId } = await submit(alice, 3);
    const runner = suite.client('direct-runner');
    for (let i = 0; i < 3; i++) await completeNextTask(suite.queue, runner);
    expect(await mergeNext(suite)).toMatchObject({ jobId, taskIds: [1, 2, 3] });
    await waitForState(suite.client('gateway'), alice, jobId, jobs.State.STATE_COMPLETED);
  });

  it('publishes again what nobody claims, and either message will do', async () => {
    await suite.start({ redispatchAfterMs: 200 });
    await submit(alice);
    const first = await receiveTask(suite.queue);
    const second = await receiveTask(suite.queue);
    expect(second.task).toEqual(first.task);
    const runner = suite.client('direct-runner');
    const { attemptId } = first.task;
    const order = await runner.claimTask({ attemptId, runnerId: 'runner-1' });
    expect(await runner.claimTask({ attemptId, runnerId: 'runner-1' })).toEqual(order);
    expect(await runner.claimTask({ attemptId, runnerId: 'runner-2' })).toBeUndefined();
    await first.delivery.ack();
    await second.delivery.ack();
  });
});

describe('whose turn it is', () => {
  beforeEach(async () => {
    suite = await openSuite();
  });
  afterEach(() => suite.stop());

  it('goes round the users, also when the window holds one task only', async () => {
    await suite.start({ dispatchWindowTasks: 1 });
    for (const userId of [1n, 2n, 3n]) await submit(userId, 4);
    const runner = suite.client('direct-runner');
    const owners = [];
    for (let i = 0; i < 12; i++) {
      const { order } = await claimNextTask(suite.queue, runner);
      const [row] = await suite.sql<{ owner_id: string }>('SELECT owner_id FROM jobs WHERE job_id = $1', [order.jobId]);
      owners.push(row?.owner_id);
    }
    for (const round of [owners.slice(1, 4), owners.slice(4, 7), owners.slice(7, 10)]) {
      expect(new Set(round).size).toBe(3); // the first task went out before the others had come
    }
  });

  it('goes to the first job of a user, also for a task that was handed back after others had been submitted', async () => {
    await suite.start({ dispatchWindowTasks: 1 });
    const earlier = await submit(alice, 2);
    const later = await submit(alice, 2);
    const runner = suite.client('direct-runner');
    const { attemptId } = await claimNextTask(suite.queue, runner);
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'released', value: {} } });
    const order: string[] = [];
    while (order.length < 4) order.push((await claimNextTask(suite.queue, runner)).order.jobId);
    expect(order).toEqual([earlier, earlier, later, later].map(({ jobId }) => jobId));
  });
});

describe('a bound on the running tasks of a user', () => {
  beforeEach(async () => {
    suite = await openSuite();
  });
  afterEach(() => suite.stop());

  const waiting = () => suite.queue.depth(TASK_QUEUE);

  it('keeps the rest out of the queue until one has ended, and others are not bound by it', async () => {
    await suite.start({ runningTasksPerUserMax: 2, leaseMs: 300_000 });
    const { jobId } = await submit(alice, 5);
    const runner = suite.client('direct-runner');
    const running = [await claimNextTask(suite.queue, runner), await claimNextTask(suite.queue, runner)];
    await submit(bob, 2);
    const others = [await claimNextTask(suite.queue, runner), await claimNextTask(suite.queue, runner)];
    expect(others.map(({ order }) => order.jobId)).not.toContain(jobId);
    expect(await inFlight()).toBe(0);
    for (let left = 3; left > 0; left--) {
      const { attemptId } = running.shift() ?? { attemptId: '' };
      const output = { simulatedPrimaries: 1_000n };
      await runner.reportTaskEnd({ attemptId, outcome: { $case: 'completed', value: output } });
      running.push(await claimNextTask(suite.queue, runner));
      expect(running.at(-1)?.order.jobId).toBe(jobId);
      expect(await inFlight()).toBe(0);
    }
    expect(await waiting()).toBe(0);
  });

  it('counts what lies in the queue beyond its time, which somebody may still claim', async () => {
    await suite.start({ runningTasksPerUserMax: 1, redispatchAfterMs: 100, redispatchAfterMaxMs: 100 });
    await submit(alice, 3);
    const [first, again] = [await receiveTask(suite.queue), await receiveTask(suite.queue)];
    expect(again.task).toEqual(first.task);
    await first.delivery.ack();
    await again.delivery.ack();
  });
});

describe('two copies of the service', () => {
  beforeEach(async () => {
    suite = await openSuite();
  });
  afterEach(() => suite.stop());

  it('share the window, publish each task once, and give no attempt to two runners', async () => {
    const settings = { dispatchWindowTasks: 16, leaseMs: 300_000 }; // nobody reports: a lease that ends gives a task again
    const copies = [await suite.start(settings), await suite.start(settings)];
    for (const userId of [1n, 2n, 3n, 4n]) await submit(userId, 25);
    const claimed: string[] = [];
    let refusedCount = 0;
    let messageCount = 0; // a task that was published twice has two messages, and the same worker may ask again
    const work = async (index: number) => {
      const runner = suite.client('direct-runner', copies[index % 2]);
      const end = Date.now() + 80_000;
      while (claimed.length < 100 && Date.now() < end) {
        const stop = AbortSignal.timeout(1_000);
        const delivery = await suite.queue.receive(TASK_QUEUE, stop).catch(() => undefined);
        if (delivery === undefined) continue;
        const attemptId = delivery.message.id;
        const id = messageCount++;
        // both copies are asked at once, by two runners
        const other = suite.client('direct-runner', copies[(index + 1) % 2]);
        const claims = await Promise.all([
          runner.claimTask({ attemptId, runnerId: `runner-${id}` }),
          other.claimTask({ attemptId, runnerId: `thief-${id}` }),
        ]);
        await delivery.ack();
        expect(await inFlight()).toBeLessThanOrEqual(16);
        for (const claim of claims) {
          if (claim === undefined) refusedCount++;
          else claimed.push(attemptId);
        }
      }
    };
    await Promise.all([0, 1, 2].map(work));
    expect(claimed).toHaveLength(100);
    expect(new Set(claimed).size).toBe(100);
    expect(refusedCount).toBeGreaterThanOrEqual(100);
  });
});
