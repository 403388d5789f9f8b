import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import bcrypt from 'bcrypt';
import { startBcryptThreads } from '../../src/process/bcrypt-threads.js';

/** Its threads live as long as the tests, so that others can be counted. */
const threads = startBcryptThreads(2, 3_600_000);
afterAll(() => threads.stop());

/** Of the threads of this process; a thread may end meanwhile. */
function niceValues(): number[] {
  return readdirSync('/proc/self/task').flatMap((tid) => {
    try {
      // proc(5): field 19 of a thread's stat is its nice value
      const stat = readFileSync(`/proc/self/task/${tid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    } catch {
      return [];
    }
  });
}

/** Elsewhere threads have no nice value of their own, and there is no /proc. */
const onLinux = process.platform === 'linux' ? it : it.skip;
const yieldingThreads = () => niceValues().filter((nice) => nice === 10).length;

describe('bcrypt on threads of its own', () => {
  it('agrees with bcrypt', async () => {
    const hash = await threads.hash('pässword', 4);
    expect(bcrypt.compareSync('pässword', hash)).toBe(true);
    expect(await threads.compare('pässword', hash)).toBe(true);
    expect(await threads.compare('password', hash)).toBe(false);
    expect(threads.getRounds(hash)).toBe(4);
  });

  it('answers each of many with its own result', async () => {
    const hashes = await Promise.all(Array.from({ length: 20 }, (_, i) => threads.hash(`password ${i}`, 4)));
    const answers = await Promise.all(hashes.map((hash, i) => threads.compare(`password ${(i * 7) % 20}`, hash)));
    expect(answers).toEqual(hashes.map((_, i) => (i * 7) % 20 === i));
  });

  it('leaves the event loop free', async () => {
    const done = new AbortController();
    const hashes = Promise.all([threads.hash('a', 10), threads.hash('b', 10)]).finally(() => done.abort());
    let turnCount = 0; // of the event loop, which makes none while it is held
    for (; !done.signal.aborted; turnCount += 1) await new Promise(setImmediate);
    await hashes;
    expect(turnCount).toBeGreaterThan(10);
  });

  it('fails, and works again, when bcrypt refuses', async () => {
    await expect(threads.hash(undefined as never, 4)).rejects.toThrow('data and salt');
    expect(await threads.hash('password', 4)).toMatch(/^\$2b\$04\$/);
  });

  it('finishes what it was given before its end, and fails what is asked after it', async () => {
    const short = startBcryptThreads(1);
    const given = Promise.all([short.hash('one', 12), short.hash('two', 4)]);
    await short.stop();
    const [one, two] = await given;
    expect(bcrypt.compareSync('one', one)).toBe(true);
    expect(bcrypt.compareSync('two', two)).toBe(true);
    await expect(short.hash('password', 4)).rejects.toThrow('stopping');
  });

  it('ends at any moment, while it loads bcrypt or works, and does not take the process with it', async () => {
    for (let finished = 0; finished < 20; finished += 1) {
      const short = startBcryptThreads(2);
      const given = Array.from({ length: 2 * finished }, () => short.hash('password', 4));
      await Promise.all(given.slice(0, finished));
      await short.stop();
      expect(await Promise.all(given)).toHaveLength(2 * finished);
    }
  });

  it('answers whatever is asked while its threads end for want of work', async () => {
    const restless = startBcryptThreads(2, 1);
    for (let pauseMs = 0; pauseMs < 40; pauseMs += 1) {
      await systemClock.sleep(pauseMs % 8); // not for anything to happen: so that it is asked at any moment of an end
      const [one, two] = await Promise.all([restless.hash('one', 4), restless.hash('two', 4)]);
      expect([bcrypt.compareSync('one', one), bcrypt.compareSync('two', two)]).toEqual([true, true]);
    }
    await restless.stop();
  });

  onLinux('starts no thread before it is asked, and ends those without work', async () => {
    const before = yieldingThreads();
    const resting = startBcryptThreads(2, 50);
    expect(yieldingThreads()).toBe(before);
    const twoAtWork = async () => {
      // asked again: the first to start may have ended before the second has started
      await Promise.all([resting.hash('one', 4), resting.hash('two', 4)]);
      return yieldingThreads() === before + 2;
    };
    await waitFor(twoAtWork, { what: 'two threads at work', intervalMs: 0 });
    await waitFor(() => yieldingThreads() === before, { what: 'threads to end' });
    expect(await resting.compare('password', await resting.hash('password', 4))).toBe(true);
    await resting.stop();
  });

  onLinux('yields to everything else', async () => {
    await Promise.all([threads.hash('one', 4), threads.hash('two', 4)]);
    expect(yieldingThreads()).toBeGreaterThanOrEqual(2);
    expect(niceValues()).toContain(0);
  });
});
