import { describe, expect, test } from '@jest/globals';
import { createBatcher } from './batch.js';
import { kitError } from './errors.js';

/** A batcher whose batches end when the test lets them. */
function startHeld(answer: (item: number) => number, sizeMax = 10) {
  const batches: number[][] = [];
  const release: (() => void)[] = [];
  const submit = createBatcher<number, number>({
    sizeMax,
    run: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => release.push(resolve));
      return items.map(answer);
    },
  });
  const releaseAll = async () => {
    for (; release.length > 0; await new Promise(setImmediate)) release.shift()?.();
  };
  return { batches, submit, releaseAll };
}

describe('createBatcher', () => {
  test('runs the first item at once and gathers what comes meanwhile', async () => {
    const { batches, submit, releaseAll } = startHeld((item) => 10 * item);
    const answers = Promise.all([1, 2, 3].map(submit));
    expect(batches).toEqual([[1]]);
    await releaseAll();
    expect(batches).toEqual([[1], [2, 3]]);
    await expect(answers).resolves.toEqual([10, 20, 30]);
  });

  test('never makes a batch larger than asked for', async () => {
    const { batches, submit, releaseAll } = startHeld((item) => item, 2);
    const answers = Promise.all([1, 2, 3, 4].map(submit));
    await releaseAll();
    expect(batches).toEqual([[1], [2, 3], [4]]);
    await answers;
  });

  test('answers everybody for himself when a batch fails', async () => {
    const { batches, submit, releaseAll } = startHeld((item) => {
      if (item === 3) throw new RangeError('three');
      return item;
    });
    const answers = Promise.allSettled([1, 2, 3].map(submit));
    await releaseAll();
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(batches).toEqual([[1], [2, 3], [2], [3]]);
  });

  test('fails everybody when the service behind it is not available', async () => {
    let isDown = false;
    const { batches, submit, releaseAll } = startHeld(() => {
      if (isDown) throw kitError('SERVICE_UNAVAILABLE');
      isDown = true;
      return 0;
    });
    const answers = Promise.allSettled([1, 2, 3].map(submit));
    await releaseAll();
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(batches).toEqual([[1], [2, 3]]);
  });
});
