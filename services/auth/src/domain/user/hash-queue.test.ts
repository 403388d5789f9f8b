import { describe, expect, it } from '@jest/globals';
import { HashQueue } from './hash-queue.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose works end when told, by name. */
function queueOf(limits: Partial<ConstructorParameters<typeof HashQueue>[0]> = {}) {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const queue = new HashQueue({ runningMax: 1, waitingMax: 10, waitingPerLaneMax: 10, ...limits }, clock);
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (name: string, lane = 'a', isKnown = false, signal?: AbortSignal) =>
    queue
      .run(
        { lane, isKnown },
        () => {
          started.push(name);
          return new Promise<void>((resolve) => ends.push(resolve));
        },
        signal,
      )
      .catch((err: { reason?: string }) => refused.push(`${name} ${err.reason}`));
  return {
    queue,
    clock,
    started,
    refused,
    enter,
    /** Ends the works, the oldest first, until there is none. */
    drain: async () => {
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end();
        await settle();
      }
    },
  };
}

describe('the queue of password hashes', () => {
  it('runs so many at once, the others of a lane in order of arrival', async () => {
    const { started, enter, drain } = queueOf({ runningMax: 2 });
    for (const name of ['1', '2', '3', '4']) void enter(name);
    expect(started).toEqual(['1', '2']);
    await drain();
    expect(started).toEqual(['1', '2', '3', '4']);
  });

  it('tells who is refused how long those who wait will take', async () => {
    const { queue, clock, enter, drain } = queueOf({ runningMax: 2, waitingMax: 20, waitingPerLaneMax: 20 });
    void enter('first');
    clock.nowMs = 500;
    await drain();
    for (let at = 0; at < 22; at++) void enter(`${at}`);
    const refused = queue.run({ lane: 'a', isKnown: false }, async () => {});
    await expect(refused).rejects.toMatchObject({ reason: 'LOGINS_BUSY', retryAfterMs: 5_000 });
    await drain();
  });

  it('serves lanes in turn', async () => {
    const { started, enter, drain } = queueOf();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name, 'a');
    void enter('b1', 'b');
    void enter('c1', 'c');
    await drain();
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('lets who has been here before go first, but not for ever', async () => {
    const { started, enter, drain } = queueOf();
    for (const name of ['s1', 's2', 's3']) void enter(name, 's');
    for (let i = 1; i <= 5; i++) void enter(`k${i}`, `k${i}`, true);
    await drain();
    expect(started).toEqual(['s1', 'k1', 'k2', 'k3', 's2', 'k4', 'k5', 's3']);
  });

  it('refuses at once when too many wait; a longer lane gives one up for a shorter one', async () => {
    const { started, refused, enter, drain } = queueOf({ waitingMax: 3, waitingPerLaneMax: 3 });
    for (const name of ['a0', 'a1', 'a2', 'a3', 'a4']) void enter(name, 'a');
    await settle();
    expect(refused).toEqual(['a4 LOGINS_BUSY']);
    void enter('b1', 'b');
    await settle();
    expect(refused).toEqual(['a4 LOGINS_BUSY', 'a3 LOGINS_BUSY']);
    void enter('c1', 'c');
    await settle();
    expect(refused).toHaveLength(3);
    void enter('d1', 'd');
    await settle();
    expect(refused.at(-1)).toBe('d1 LOGINS_BUSY');
    void enter('k1', 'k', true);
    await drain();
    expect(started).toEqual(['a0', 'k1', 'a1', 'b1', 'c1']);
  });

  it('gives the place up when nobody waits for the answer, and that of a work that failed', async () => {
    const { queue, started, refused, enter, drain } = queueOf({ waitingMax: 1 });
    const abort = new AbortController();
    void enter('first');
    void enter('gone', 'a', false, abort.signal);
    abort.abort();
    await settle();
    expect(refused).toEqual(['gone LOGINS_BUSY']);
    void enter('next');
    await drain();
    expect(started).toEqual(['first', 'next']);
    const lane = { lane: 'a', isKnown: false };
    await expect(queue.run(lane, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(lane, async () => 'free')).toBe('free');
  });
});
