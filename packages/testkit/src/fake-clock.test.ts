import { describe, expect, it } from '@jest/globals';
import { fakeClock } from './fake-clock.js';

describe('a fake clock', () => {
  it('stands still until it is told to go on', async () => {
    const clock = fakeClock(new Date('2026-05-01T12:00:00Z'));
    await clock.advance(1_500);
    expect(clock.now()).toEqual(new Date('2026-05-01T12:00:01.500Z'));
  });

  it('wakes sleepers in order, each at its own time, those of later sleeps too', async () => {
    const clock = fakeClock();
    const startMs = clock.now().getTime();
    const woken: string[] = [];
    const sleepTwice = async (name: string, ms: number): Promise<void> => {
      for (const round of [1, 2]) {
        await clock.sleep(ms);
        woken.push(`${name}${round} at ${clock.now().getTime() - startMs}`);
      }
    };
    const all = Promise.all([sleepTwice('slow', 50), sleepTwice('fast', 20)]);
    await clock.advance(49);
    expect(woken).toEqual(['fast1 at 20', 'fast2 at 40']);
    await clock.advance(51);
    await all;
    expect(woken.slice(2)).toEqual(['slow1 at 50', 'slow2 at 100']);
    expect(clock.sleeping()).toBe(0);
  });

  it('ends a sleep on abort, as the real clock does', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const sleep = clock.sleep(1_000, stop.signal);
    expect(clock.sleeping()).toBe(1);
    stop.abort();
    await sleep;
    expect(clock.sleeping()).toBe(0);
    await clock.sleep(1_000, stop.signal);
  });
});
