import { describe, expect, it } from '@jest/globals';
import { silentLogger, startLoop } from '@tally/service-kit';
import { fakeClock } from '../src/fake-clock.js';

const options = () => {
  const clock = fakeClock();
  const warnings: object[] = [];
  const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  return { clock, warnings, options: { name: 'test', intervalMs: 1_000, clock, logger } };
};

describe('a loop', () => {
  it('runs at once, after each interval, and at once when it is woken', async () => {
    const { clock, options: settings } = options();
    let rounds = 0;
    const loop = startLoop(async () => rounds++, settings);
    await clock.advance(0);
    expect(rounds).toBe(1);
    await clock.advance(1_000);
    expect(rounds).toBe(2);
    loop.wake();
    await clock.advance(0);
    expect(rounds).toBe(3);
    await loop.stop();
  });

  it('runs again when it is woken during a round, and never twice at a time', async () => {
    const { clock, options: settings } = options();
    let rounds = 0;
    let finish = () => {};
    const round = async () => {
      rounds++;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    };
    const loop = startLoop(round, settings);
    loop.wake();
    loop.wake();
    await clock.advance(5_000);
    expect(rounds).toBe(1);
    finish();
    await clock.advance(0);
    expect(rounds).toBe(2);
    const stopped = loop.stop();
    finish();
    await stopped;
  });

  it('goes on after a fault, and logs it once until it works again', async () => {
    const { clock, warnings, options: settings } = options();
    let rounds = 0;
    const loop = startLoop(async () => {
      rounds++;
      if (rounds <= 3 || rounds === 5) throw new Error('broken');
    }, settings);
    for (let i = 0; i < 5; i++) await clock.advance(1_000);
    expect(rounds).toBeGreaterThanOrEqual(5);
    expect(warnings).toHaveLength(2);
    await loop.stop();
  });

  it('stops after the running round, and does not start another', async () => {
    const { clock, options: settings } = options();
    let rounds = 0;
    const loop = startLoop(async () => rounds++, settings);
    await loop.stop();
    loop.wake();
    await clock.advance(10_000);
    expect(rounds).toBe(1);
    expect(clock.sleeping()).toBe(0);
  });
});
