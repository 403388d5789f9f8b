import { describe, expect, test } from '@jest/globals';
import { kitError } from '../errors.js';
import { createBatcher } from './batch.js';

/** A batcher whose batches end when the test lets them. */
function startHeld(answer: (item: number) => number, options: { sizeMax?: number; batchesMax?: number } = {}) {
  const batches: number[][] = [];
  const release: (() => void)[] = [];
  const submit = createBatcher<number, number>({
    sizeMax: 10,
    ...options,
    run: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => release.push(resolve));
      return items.map(answer);
    },
  });
  const releaseAll = async () => {
    for (; release.length > 0; await nextTurn()) release.shift()?.();
  };
  return { batches, submit, releaseAll };
}

const nextTurn = () => new Promise(setImmediate);

describe('createBatcher', () => {
  test('gathers what comes in a turn of the event loop, and what comes while that runs', async () => {
    const { batches, submit, releaseAll } = startHeld((item) => 10 * item);
    const first = [1, 2].map(submit);
    await nextTurn();
    expect(batches).toEqual([[1, 2]]);
    const answers = Promise.all([...first, ...[3, 4].map(submit)]);
    await nextTurn();
    expect(batches).toEqual([[1, 2]]);
    await releaseAll();
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await expect(answers).resolves.toEqual([10, 20, 30, 40]);
  });

  test('does not wait for a batch where more may run', async () => {
    const { batches, submit, releaseAll } = startHeld((item) => item, { batchesMax: 2 });
    const answers: Promise<number>[] = [];
    for (const item of [1, 2, 3]) {
      answers.push(submit(item));
      await nextTurn();
    }
    expect(batches).toEqual([[1], [2]]);
    await releaseAll();
    await expect(Promise.all(answers)).resolves.toEqual([1, 2, 3]);
  });

  test('never makes a batch larger than asked for', async () => {
    const { batches, submit, releaseAll } = startHeld((item) => item, { sizeMax: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5].map(submit));
    await nextTurn();
    await releaseAll();
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    await answers;
  });

  test('answers everybody for himself when a batch fails', async () => {
    const { batches, submit, releaseAll } = startHeld((item) => {
      if (item === 3) throw new RangeError('three');
      return item;
    });
    const answers = Promise.allSettled([1, 2, 3].map(submit));
    await nextTurn();
    await releaseAll();
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  test('fails everybody when the service behind it is not available', async () => {
    const { batches, submit, releaseAll } = startHeld(() => {
      throw kitError('SERVICE_UNAVAILABLE');
    });
    const answers = Promise.allSettled([1, 2, 3].map(submit));
    await nextTurn();
    await releaseAll();
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(batches).toEqual([[1, 2, 3]]);
  });
});
