import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tally/service-kit';
import { createDeliveries } from './deliveries.js';

function setUp(countMax: number) {
  const deliveries = createDeliveries(countMax, silentLogger);
  const ends: ((err?: Error) => void)[] = [];
  const start = async () => {
    const hasRoom = { is: false };
    const delivery = () =>
      new Promise<void>((resolve, reject) => ends.push((err) => (err === undefined ? resolve() : reject(err))));
    void deliveries.start(delivery).then(() => (hasRoom.is = true));
    await new Promise(setImmediate);
    return hasRoom;
  };
  return { deliveries, ends, start };
}

describe('deliveries', () => {
  it('go on in the background up to their number; the next one is started, and waited for', async () => {
    const { ends, start } = setUp(2);
    expect((await start()).is).toBe(true);
    const second = await start();
    expect([second.is, ends.length]).toEqual([false, 2]);
    ends[0]?.();
    await new Promise(setImmediate);
    expect(second.is).toBe(true);
    ends[1]?.();
  });

  it('are all waited for at the end, also those that fail', async () => {
    const { deliveries, ends, start } = setUp(10);
    await start();
    await start();
    let isSettled = false;
    const settled = deliveries.settled().then(() => (isSettled = true));
    ends[0]?.(new Error('disk'));
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    ends[1]?.();
    await settled;
  });
});
