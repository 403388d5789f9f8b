import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { orderOf } from '../../test/attempt.js';
import type { WorkOrder } from '../domain/task.js';
import { createTaskFeed } from './task-feed.js';

/** A queue of claimable tasks, and a feed that takes them. */
function setUp(prefetchMax: number) {
  const queue: WorkOrder[] = [];
  const waiting: { take(order: WorkOrder): void; fail(err: Error): void; hasMessage: boolean }[] = [];
  const released: WorkOrder[] = [];
  const drain = new AbortController();
  const clock = fakeClock();
  const feed = createTaskFeed({
    claimNext: (signal) =>
      new Promise((resolve, reject) => {
        const order = queue.shift();
        if (order !== undefined) return resolve(order);
        const entry = { take: resolve, fail: reject, hasMessage: false };
        waiting.push(entry);
        signal.addEventListener('abort', () => {
          if (entry.hasMessage) return; // what is being claimed is claimed
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason);
        });
      }),
    release: async (order) => void released.push(order),
    prefetchMax,
    prefetchHoldMsMax: 1_000,
    drain: drain.signal,
    clock,
  });
  const submit = async (count: number) => {
    const orders = Array.from({ length: count }, () => orderOf({}));
    for (const order of orders) {
      const first = waiting.shift();
      if (first === undefined) queue.push(order);
      else first.take(order);
    }
    await new Promise(setImmediate);
    return orders;
  };
  return { feed, queue, waiting, released, drain, clock, submit };
}
const run = () => new Promise(setImmediate);

describe('the feed of claimed tasks', () => {
  it('claims one task for each slot that asks, and none ahead before it knows how long tasks take', async () => {
    const { feed, waiting, queue, submit } = setUp(2);
    const asked = [feed.next(), feed.next()];
    expect(waiting).toHaveLength(2);
    const orders = await submit(3);
    expect(await Promise.all(asked)).toEqual(orders.slice(0, 2));
    expect(queue).toEqual([orders[2]]);
  });

  it('claims ahead while tasks are short, and not while they are long', async () => {
    const { feed, queue, submit } = setUp(2);
    const orders = await submit(6);
    expect(await feed.next()).toBe(orders[0]);
    feed.noteDuration(10);
    expect(await feed.next()).toBe(orders[1]);
    await run();
    expect(queue).toHaveLength(2); // two are held
    for (let count = 0; count < 10; count += 1) feed.noteDuration(60_000);
    expect([await feed.next(), await feed.next()]).toEqual(orders.slice(2, 4));
    await run();
    expect(queue).toHaveLength(2);
  });

  it('hands back what no slot takes within a second, and claims for free slots only from then on', async () => {
    const { feed, queue, waiting, released, clock, submit } = setUp(1);
    const orders = await submit(3);
    await feed.next();
    feed.noteDuration(10);
    await feed.next();
    await run();
    expect(queue).toHaveLength(0);
    await clock.advance(1_000);
    expect(released).toEqual([orders[2]]);
    await feed.settled();
    expect(waiting).toHaveLength(0);
    const next = feed.next();
    const [again] = await submit(1);
    expect(await next).toBe(again);
  });

  it('ends claims that wait for a message and are not wanted any more', async () => {
    const { feed, waiting, clock, submit } = setUp(2);
    await submit(2);
    await feed.next();
    feed.noteDuration(10);
    await feed.next();
    expect(waiting).toHaveLength(2);
    await submit(1);
    await clock.advance(1_000); // it was not taken: tasks are not short
    expect(waiting).toHaveLength(0);
  });

  it('hands back at once when the runner drains, also what is claimed at that moment', async () => {
    const { feed, waiting, released, drain, submit } = setUp(2);
    const orders = await submit(3);
    await feed.next();
    feed.noteDuration(10);
    await feed.next();
    await run();
    const [late] = waiting;
    if (late === undefined) throw new Error('nothing is being claimed');
    late.hasMessage = true;
    const asked = [feed.next(), feed.next()];
    expect(await asked[0]).toBe(orders[2]);
    drain.abort('draining');
    await expect(asked[1]).rejects.toBe('draining');
    const claimed = orderOf({});
    late.take(claimed);
    await feed.settled();
    expect(released).toEqual([claimed]);
    await expect(feed.next()).rejects.toBe('draining');
  });

  it('tells a slot what went wrong, and tries again when it asks again', async () => {
    const { feed, waiting, submit } = setUp(2);
    const asked = feed.next();
    waiting.shift()?.fail(new Error('disk full'));
    await expect(asked).rejects.toThrow('disk full');
    const again = feed.next();
    const [order] = await submit(1);
    expect(await again).toBe(order);
  });
});
