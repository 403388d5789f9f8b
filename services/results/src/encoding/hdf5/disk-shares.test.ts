import { describe, expect, it } from '@jest/globals';
import { DiskShares } from './disk-shares.js';

/** Whether it has room at once. */
async function isTaken(taking: Promise<unknown>): Promise<boolean> {
  const later = new Promise((resolve) => setImmediate(resolve)).then(() => false);
  return Promise.race([taking.then(() => true), later]);
}

describe('room on the disk', () => {
  it('is left for others where one owner has half', async () => {
    const shares = new DiskShares(100);
    const first = await shares.take('greedy', 25);
    await shares.take('greedy', 25);
    const third = shares.take('greedy', 25);
    expect(await isTaken(third)).toBe(false);
    expect(await isTaken(shares.take('other', 50))).toBe(true);
    first();
    expect(await isTaken(third)).toBe(true);
  });

  it('is given in the order of asking, to one file of any size', async () => {
    const shares = new DiskShares(100);
    const give = await shares.take('a', 100);
    const large = shares.take('b', 90);
    const small = shares.take('c', 20);
    expect(await isTaken(small)).toBe(false);
    give();
    give();
    expect(await isTaken(large)).toBe(true);
    expect(await isTaken(small)).toBe(false);
  });

  it('is not waited for by who has gone', async () => {
    const shares = new DiskShares(100);
    const give = await shares.take('a', 100);
    const gone = new AbortController();
    const waiting = shares.take('b', 100, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(shares.take('b', 1, gone.signal)).rejects.toThrow('gone');
    give();
    expect(await isTaken(shares.take('c', 100))).toBe(true);
  });
});
