import { describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('gives what the condition gives in the end', async () => {
    let asked = 0;
    expect(await waitFor(() => (++asked === 3 ? 'third' : undefined), { intervalMs: 1 })).toBe('third');
    expect(asked).toBe(3);
  });

  it('takes 0 and the empty string for answers', async () => {
    expect(await waitFor(() => 0)).toBe(0);
    expect(await waitFor(() => '')).toBe('');
  });

  it('gives up after its time, with the last error as the cause', async () => {
    const cause = new Error('not there');
    const waiting = waitFor(() => Promise.reject(cause), { timeoutMs: 20, intervalMs: 5, what: 'a miracle' });
    await expect(waiting).rejects.toMatchObject({ message: 'waited 20 ms for a miracle', cause });
  });
});
