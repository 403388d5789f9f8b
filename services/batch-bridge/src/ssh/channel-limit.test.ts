import { expect, it } from '@jest/globals';
import { ChannelLimit } from './channel-limit.js';

it('never runs more at once than allowed, all in order, and goes on after a failure', async () => {
  const limit = new ChannelLimit(3);
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const work = Array.from({ length: 20 }, (_, i) =>
    limit.run(async () => {
      started.push(i);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (i % 5 === 0) throw new Error('fails');
      return i;
    }),
  );
  const outcomes = await Promise.allSettled(work);
  expect(most).toBe(3);
  expect(started).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
});
