import { describe, expect, it } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.js';

/** A work that ends when told. */
function work() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a concurrency limit', () => {
  it('runs so many at once, the others in order of arrival', async () => {
    const limit = new ConcurrencyLimit(2, 10);
    const started: number[] = [];
    const works = [0, 1, 2, 3].map(() => work());
    const all = works.map(({ run }, i) =>
      limit.run(() => {
        started.push(i);
        return run();
      }),
    );
    await settle();
    expect(started).toEqual([0, 1]);
    works[1]?.end();
    await settle();
    expect(started).toEqual([0, 1, 2]);
    for (const { end } of works) end();
    await Promise.all(all);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('refuses at once when too many wait', async () => {
    const limit = new ConcurrencyLimit(1, 1);
    const [first, second] = [work(), work()];
    const both = [limit.run(first.run), limit.run(second.run)];
    await expect(limit.run(async () => 'too late')).rejects.toMatchObject({ reason: 'LOGINS_BUSY' });
    first.end();
    second.end();
    await Promise.all(both);
    expect(await limit.run(async () => 'room again')).toBe('room again');
  });

  it('gives the place in the queue up when nobody waits for the answer', async () => {
    const limit = new ConcurrencyLimit(1, 1);
    const first = work();
    const running = limit.run(first.run);
    const abort = new AbortController();
    const waiting = limit.run(async () => 'never', abort.signal);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'LOGINS_BUSY' });
    const next = limit.run(async () => 'mine');
    first.end();
    await running;
    expect(await next).toBe('mine');
  });

  it('frees the place of a work that failed', async () => {
    const limit = new ConcurrencyLimit(1, 0);
    await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await limit.run(async () => 'free')).toBe('free');
  });
});
