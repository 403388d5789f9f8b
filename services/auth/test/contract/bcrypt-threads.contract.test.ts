import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import bcrypt from 'bcrypt';
import { startBcryptThreads } from '../../src/process/bcrypt-threads.js';

const threads = startBcryptThreads(2);
afterAll(() => threads.stop());

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

  (process.platform === 'linux' ? it : it.skip)('yields to everything else', async () => {
    await threads.hash('password', 4);
    // proc(5): field 19 of a thread's stat is its nice value
    const nices = readdirSync('/proc/self/task').map((tid) => {
      const stat = readFileSync(`/proc/self/task/${tid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    });
    expect(nices.filter((nice) => nice === 10).length).toBeGreaterThanOrEqual(2);
    expect(nices).toContain(0);
  });
});
