import { describe, expect, it } from '@jest/globals';
import { kitError } from '@tally/service-kit';
import type { DeckFiles } from '@tally/simulators';
import { createDeckCache } from './deck-cache.js';
import type { JobId } from './task.js';

const [ONE, TWO, THREE] = ['one', 'two', 'three'] as JobId[] as [JobId, JobId, JobId];
const DECK_BYTES = 2 * ('a'.length + 100);
const never = new AbortController().signal;

/** A cache before a results service that answers when it is told to. */
function setUp(bytesMax = 10 * DECK_BYTES) {
  const asked: { jobId: JobId; signal: AbortSignal; answer(deck?: DeckFiles): void; refuse(err: Error): void }[] = [];
  const cache = createDeckCache(
    {
      getDeck: (jobId, signal) =>
        new Promise((resolve, reject) => {
          asked.push({ jobId, signal, answer: (deck = { a: 'x'.repeat(100) }) => resolve(deck), refuse: reject });
        }),
    },
    bytesMax,
  );
  const fetchNow = async (jobId: JobId) => {
    const before = asked.length;
    const deck = cache.get(jobId, never);
    asked[before]?.answer();
    await deck;
    return asked.length - before;
  };
  return { cache, asked, fetchNow };
}

describe('the deck of a job', () => {
  it('is fetched once for tasks that ask at once, and for those that ask later', async () => {
    const { cache, asked, fetchNow } = setUp();
    const decks = [cache.get(ONE, never), cache.get(ONE, never)];
    asked[0]?.answer({ a: 'text' });
    expect(await Promise.all(decks)).toEqual([{ a: 'text' }, { a: 'text' }]);
    expect(await fetchNow(ONE)).toBe(0);
    expect(await fetchNow(TWO)).toBe(1);
    expect(asked).toHaveLength(2);
  });

  it('makes room for others when it was not used for longest, and is not kept when it is too large', async () => {
    const { fetchNow, cache, asked } = setUp(2 * DECK_BYTES);
    expect([await fetchNow(ONE), await fetchNow(TWO), await fetchNow(ONE), await fetchNow(THREE)]).toEqual([
      1, 1, 0, 1,
    ]);
    expect([await fetchNow(ONE), await fetchNow(THREE), await fetchNow(TWO)]).toEqual([0, 0, 1]);
    const large = cache.get('large' as JobId, never);
    asked.at(-1)?.answer({ a: 'x'.repeat(1000) });
    await large;
    expect(await fetchNow('large' as JobId)).toBe(1);
  });

  it('is not taken from others by a task that goes away, and not fetched when all have gone', async () => {
    const { cache, asked } = setUp();
    const [first, second] = [new AbortController(), new AbortController()];
    const [gone, stays] = [cache.get(ONE, first.signal), cache.get(ONE, second.signal)];
    first.abort('revoked');
    await expect(gone).rejects.toBe('revoked');
    expect(asked[0]?.signal.aborted).toBe(false);
    asked[0]?.answer();
    await stays;
    const lost = cache.get(TWO, second.signal);
    second.abort('revoked');
    await expect(lost).rejects.toBe('revoked');
    expect(asked[1]?.signal.aborted).toBe(true);
  });

  it('is asked for again after results did not give it', async () => {
    const { cache, asked, fetchNow } = setUp();
    const refused = cache.get(ONE, never);
    asked[0]?.refuse(kitError('SERVICE_UNAVAILABLE'));
    await expect(refused).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(await fetchNow(ONE)).toBe(1);
  });
});
