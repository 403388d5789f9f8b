import { beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeClock, fakeClock } from '@tally/testkit';
import { StoredUsage } from './stored-usage.js';

const OWNER = 7n;
const TAKES_MS = 3_000;

describe('what is stored of a user', () => {
  let clock: FakeClock;
  let usage: StoredUsage;
  let stored = 0;
  /** Ends a measurement that is under way. */
  let answer: () => void;
  let measurements = 0;

  beforeEach(() => {
    clock = fakeClock();
    [stored, measurements] = [10, 0];
    answer = () => {};
    const readStoredBytes = () => {
      measurements += 1;
      return new Promise<number>((resolve) => {
        answer = () => resolve(stored);
      });
    };
    usage = new StoredUsage({ readStoredBytes }, clock);
  });

  async function measureFirst(): Promise<void> {
    const first = usage.requireRoom(OWNER, 100);
    await clock.advance(TAKES_MS);
    answer();
    await first;
  }

  it('is waited for once, and then holds for a hundred times as long as that took', async () => {
    await measureFirst();
    await clock.advance(100 * TAKES_MS - 1);
    await usage.requireRoom(OWNER, 100);
    expect(measurements).toBe(1);
  });

  it('is measured again beside the input that comes after that', async () => {
    await measureFirst();
    await clock.advance(100 * TAKES_MS);
    await usage.requireRoom(OWNER, 100);
    expect(measurements).toBe(2);
  });

  it('is measured before an input is refused, whatever is known', async () => {
    await measureFirst();
    usage.add(OWNER, 90);
    const refused = usage.requireRoom(OWNER, 100);
    stored = 100;
    answer();
    await expect(refused).rejects.toThrow(/You have 100 bytes stored/);
    const allowed = usage.requireRoom(OWNER, 100);
    stored = 99;
    answer();
    await allowed;
    expect(measurements).toBe(3);
  });
});
