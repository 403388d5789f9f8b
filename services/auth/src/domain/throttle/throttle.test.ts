import { expect, it } from '@jest/globals';
import type { ThrottleStore } from '../ports.js';
import { PendingAttempts } from './pending-attempts.js';
import { type ThrottlePorts, takePasswordChange } from './throttle.js';

const NOW = new Date('2026-01-02T03:04:05Z');
const windowEndsAt = new Date(NOW.getTime() + 60_000);

/** A window with room for one; the answer to the second attempt is held back when there is none. */
function setUp() {
  let [count, takeCount] = [0, 0];
  const held: (() => void)[] = [];
  const throttles = {
    async take() {
      takeCount += 1;
      const isGranted = count < 1;
      if (isGranted) count += 1;
      else if (takeCount === 2) await new Promise<void>((resolve) => held.push(resolve));
      return { isGranted, windowEndsAt };
    },
    giveBack() {
      count -= 1;
      return Promise.resolve();
    },
  } satisfies Partial<ThrottleStore>;
  const limits = { windowMs: 60_000, failuresPerUserMax: 1, failuresPerAddressMax: 1 };
  const ports = { throttles, limits, pending: new PendingAttempts() } as unknown as ThrottlePorts;
  return { take: () => takePasswordChange(ports, 1n, NOW), held };
}

it('tries again when what had the place was decided before the answer came', async () => {
  const { take, held } = setUp();
  const first = await take();
  const second = take();
  await first.giveBack();
  first.decided();
  held[0]?.();
  await expect(second).resolves.toBeDefined();
});

it('refuses when what had the place has failed', async () => {
  const { take, held } = setUp();
  const first = await take();
  const second = take();
  first.decided();
  held[0]?.();
  await expect(second).rejects.toMatchObject({ reason: 'THROTTLED' });
});
