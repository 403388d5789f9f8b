import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tally/service-kit/clock';
import { deadlineAfter } from './deadline.js';

const LONG_MS = 3_600_000;
/** Resolves when the signal has aborted. */
const abortOf = (signal: AbortSignal) => systemClock.sleep(LONG_MS, signal);

describe('a deadline', () => {
  it('comes after its time', async () => {
    const deadline = deadlineAfter(10, new AbortController().signal, LONG_MS);
    await abortOf(deadline.signal);
    deadline.end();
  });

  it('comes sooner after a termination, from the beginning or later', async () => {
    const early = deadlineAfter(LONG_MS, AbortSignal.abort(), 10);
    await abortOf(early.signal);
    early.end();
    const terminated = new AbortController();
    const late = deadlineAfter(LONG_MS, terminated.signal, 10);
    terminated.abort();
    await abortOf(late.signal);
    late.end();
  });

  it('never comes when it has ended before', async () => {
    const deadline = deadlineAfter(1, AbortSignal.abort(), 1);
    deadline.end();
    await systemClock.sleep(20);
    expect(deadline.signal.aborted).toBe(false);
  });
});
