import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AttemptEnd, decideNextStep, failedEnd } from './attempt.js';

const limits = { attemptsMax: 3, releasesMax: 2 };
const none = { failedCount: 0, lostCount: 0, releasedCount: 0 };
const failed: AttemptEnd = { kind: 'failed', reason: 'R', message: 'why', isRetryable: true };

describe('what follows an attempt', () => {
  it('is the end when it completed, whatever came before', () => {
    const history = { failedCount: 9, lostCount: 9, releasedCount: 99 };
    expect(decideNextStep({ kind: 'completed' }, history, limits)).toEqual({ kind: 'complete' });
  });

  it.each([
    [0, 0, 'retry'],
    [1, 0, 'retry'],
    [0, 1, 'retry'],
    [1, 1, 'fail'],
    [2, 0, 'fail'],
  ] as const)('after %i failed and %i lost ones is: %s', (failedCount, lostCount, kind) => {
    for (const end of [failed, { kind: 'lost' } as const]) {
      expect(decideNextStep(end, { ...none, failedCount, lostCount }, limits).kind).toBe(kind);
    }
  });

  it('is failure at once when another would fail the same way', () => {
    expect(decideNextStep({ ...failed, isRetryable: false }, none, limits)).toEqual({
      kind: 'fail',
      failure: 'R: why',
    });
  });

  it('names the reason and the number of attempts', () => {
    expect(decideNextStep(failed, { ...none, lostCount: 2 }, limits)).toEqual({
      kind: 'fail',
      failure: 'R: why (attempt 3 of 3)',
    });
  });

  it('ends after a bounded number of attempts, whatever happens to them', () => {
    const ends = fc.constantFrom<AttemptEnd>(failed, { kind: 'lost' }, { kind: 'released' });
    fc.assert(
      fc.property(fc.infiniteStream(ends), (stream) => {
        const history = { failedCount: 0, lostCount: 0, releasedCount: 0 };
        let attempts = 0;
        for (const end of stream) {
          attempts++;
          if (decideNextStep(end, history, limits).kind === 'fail') break;
          if (end.kind === 'failed') history.failedCount++;
          if (end.kind === 'lost') history.lostCount++;
          if (end.kind === 'released') history.releasedCount++;
        }
        expect(attempts).toBeGreaterThanOrEqual(limits.attemptsMax);
        expect(attempts).toBeLessThanOrEqual(limits.attemptsMax + limits.releasesMax);
      }),
    );
  });
});

describe('what a worker says about a failure', () => {
  it('is cut to what is kept, and freed of what no database takes', () => {
    expect(failedEnd('', `a\0b${'x'.repeat(2_000)}`, true)).toEqual({
      kind: 'failed',
      reason: 'UNKNOWN',
      message: `ab${'x'.repeat(998)}`,
      isRetryable: true,
    });
  });
});
