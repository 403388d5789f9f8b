import { getPriority } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { hasReason } from '../errors.js';
import { builtProgram, ThreadPool, type ThreadPoolOptions } from './thread-pool.js';

let pool: ThreadPool;
afterEach(() => pool.stop());

function open(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  pool = new ThreadPool({
    program: new URL('../../test/threads/test-program.mjs', import.meta.url),
    threadsMax: 1,
    waitingMax: 1,
    timeLimitMs: 60_000,
    heapBytesMax: 64 * 2 ** 20,
    ...options,
  });
  return pool;
}

const double = (byte: number) => pool.run<Uint8Array>({ work: 'double', bytes: Uint8Array.of(byte) });

describe('a pool of threads', () => {
  it('does work elsewhere, and is handed memory', async () => {
    open();
    const bytes = Uint8Array.of(1, 2, 3);
    const doubled = await pool.run<Uint8Array>({ work: 'double', bytes }, { transfer: [bytes.buffer] });
    expect([...doubled]).toEqual([2, 4, 6]);
    expect(bytes).toHaveLength(0); // handed over
  });

  it('passes on refusals with their reason and fields, and survives mistakes', async () => {
    open();
    const refused = await pool.run({ work: 'refuse' }).catch((err: unknown) => err);
    expect(hasReason(refused, 'TOO_ODD')).toBe(true);
    expect(refused).toMatchObject({ status: 'INVALID_ARGUMENT', fields: [{ field: 'a', message: 'b' }] });
    await expect(pool.run({ work: 'fail' })).rejects.toThrow('a mistake');
    expect([...(await double(4))]).toEqual([8]);
  });

  (process.platform === 'linux' ? it : it.skip)('leaves the processors to event loops', async () => {
    open();
    expect(await pool.run({ work: 'niceness' })).toBeGreaterThan(getPriority());
    // a machine on which all of this has less already
    expect(await pool.run({ work: 'yield', niceness: 15 })).toBe(15);
  });

  it('lets a bounded number wait', async () => {
    open({ waitingMax: 2 }); // and one that works
    const done = [double(1), double(2), double(3)];
    await expect(double(4)).rejects.toMatchObject({ limit: 'waiting' });
    expect((await Promise.all(done)).map(([byte]) => byte)).toEqual([2, 4, 6]);
  });

  /** What was done, in order, by a lane with four pieces of work and, after it, another with one. */
  async function runBeside(options: Partial<ThreadPoolOptions>): Promise<string[]> {
    open({ waitingMax: 8, ...options });
    const order: string[] = [];
    const run = async (lane: string, name: string) => {
      await pool.run({ work: 'double', bytes: Uint8Array.of(1) }, { lane });
      order.push(name);
    };
    const greedy = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
    await Promise.all([...greedy, run('b', 'b1')]);
    return order;
  }

  it('works for one of a lane at a time, also where another thread is free', async () => {
    const order = await runBeside({ threadsMax: 2 });
    expect(order.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('lets lanes take turns', async () => {
    const order = await runBeside({ threadsMax: 1 });
    expect(order.indexOf('b1')).toBeLessThan(3);
  });

  it('makes a longer lane give up a place to a shorter one, and refuses one more of the longest', async () => {
    open({ waitingMax: 3 });
    const run = (lane: string) => pool.run({ work: 'double', bytes: Uint8Array.of(1) }, { lane }).then(() => lane);
    const first = ['a', 'a', 'a', 'a'].map(run);
    const last = first.pop();
    const given = expect(last).rejects.toMatchObject({ limit: 'waiting' });
    await expect(run('a')).rejects.toMatchObject({ limit: 'waiting' });
    const other = run('b');
    await given;
    expect(await Promise.all([...first, other])).toEqual(['a', 'a', 'a', 'b']);
  });

  it('ends a thread that takes too long, and goes on with another', async () => {
    open({ timeLimitMs: 1_500 });
    await expect(pool.run({ work: 'spin' })).rejects.toMatchObject({ limit: 'time' });
    expect([...(await double(4))]).toEqual([8]);
  });

  it('ends a thread that takes too much memory, and goes on with another', async () => {
    open();
    const full = pool.run({ work: 'fill' });
    const next = double(5);
    await expect(full).rejects.toMatchObject({ limit: 'memory' });
    expect([...(await next)]).toEqual([10]);
  });
});

it('programs are taken from the build', () => {
  const file = (place: string) => builtProgram(`file:///src/tally/services/x${place}/src/a/b.ts`, './c.js').pathname;
  expect(file('')).toBe('/src/tally/services/x/dist/src/a/c.js');
  expect(file('/dist')).toBe('/src/tally/services/x/dist/src/a/c.js');
});
