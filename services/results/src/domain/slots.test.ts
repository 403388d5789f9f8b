import { describe, expect, it } from '@jest/globals';
import { inSlot, Slots } from './slots.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Slots', () => {
  it('never run more than their number at once, and run everything in order', async () => {
    const slots = new Slots(2);
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const work = (id: number) =>
      inSlot(slots, undefined, async () => {
        begun.push(id);
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
      });
    await Promise.all([0, 1, 2, 3, 4, 5, 6].map(work));
    expect(most).toBe(2);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('are given back by work that fails', async () => {
    const slots = new Slots(1);
    const failing = inSlot(slots, undefined, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await expect(inSlot(slots, undefined, async () => 'yes')).resolves.toBe('yes');
  });

  it('are not waited for by a caller who went away, and not lost on it', async () => {
    const slots = new Slots(1);
    const giveBack = await slots.take();
    const abort = new AbortController();
    const waiting = slots.take(abort.signal);
    const next = slots.take();
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'CANCELLED' });
    await expect(slots.take(abort.signal)).rejects.toMatchObject({ reason: 'CANCELLED' });
    giveBack();
    giveBack(); // harmless
    await expect(next).resolves.toBeInstanceOf(Function);
    let isTaken = false;
    void slots.take().then(() => {
      isTaken = true;
    });
    await settle();
    expect(isTaken).toBe(false);
  });
});
