import { describe, expect, it } from '@jest/globals';
import { kitError } from '@tally/service-kit';
import { fakeClock } from '@tally/testkit';
import { fail } from './errors.js';
import { retryToOutcome } from './retry.js';

function setUp(outcomes: readonly unknown[]) {
  const clock = fakeClock();
  const abort = new AbortController();
  let calls = 0;
  const result = retryToOutcome(
    async () => {
      const outcome = outcomes[Math.min(calls++, outcomes.length - 1)];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    { clock, signal: abort.signal, pauseMs: 100, pauseMsMax: 1_000, timeLimitMs: 60_000, faultCountMax: 5 },
  );
  return { clock, abort, result, calls: () => calls };
}

describe('a retryToOutcomeent call', () => {
  it('is repeated through an outage until it succeeds', async () => {
    const { clock, result, calls } = setUp([kitError('SERVICE_UNAVAILABLE'), kitError('CALLER_UNKNOWN'), 7]);
    await clock.advance(1_000);
    expect(await result).toEqual({ kind: 'done', value: 7 });
    expect(calls()).toBe(3);
  });

  it('is not repeated after a refusal or a fault of our own', async () => {
    const refusal = setUp([fail('DECK_INVALID')]);
    expect(await refusal.result).toMatchObject({ kind: 'refused' });
    const fault = setUp([new TypeError('bug')]);
    expect(await fault.result).toMatchObject({ kind: 'refused' });
    expect(refusal.calls() + fault.calls()).toBe(2);
  });

  it('ends at its time limit', async () => {
    const { clock, result, calls } = setUp([kitError('SERVICE_UNAVAILABLE')]);
    await clock.advance(70_000);
    expect(await result).toMatchObject({ kind: 'expired' });
    expect(calls()).toBeGreaterThan(60);
  });

  it('ends when the other side answers with a fault too often, but not when it is away as often', async () => {
    const { clock, result, calls } = setUp([kitError('SERVICE_UNAVAILABLE'), kitError('INTERNAL')]);
    await clock.advance(20_000);
    expect(await result).toMatchObject({ kind: 'expired' });
    expect(calls()).toBe(6);
  });

  it('ends when it is interrupted, also while it waits', async () => {
    const { clock, abort, result } = setUp([kitError('SERVICE_UNAVAILABLE')]);
    await clock.advance(50);
    abort.abort();
    expect(await result).toEqual({ kind: 'interrupted' });
  });
});
