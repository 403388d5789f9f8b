import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AttemptEnd, decideNextStep, failedEnd, leaseEnd } from './attempt.js';

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

describe('leaseEnd', () => {
  const HOUR_MS = 3_600_000;
  const now = (ms: number) => new Date(Date.UTC(2026, 10, 26) + ms);

  it.each([HOUR_MS, 15_000, 100, 20, 1])('is a whole lease away, and a 32nd of it more at most (%s ms)', (leaseMs) => {
    for (let ms = 0; ms < 1_000; ms += 7) {
      const awayMs = leaseEnd(now(ms), leaseMs).getTime() - now(ms).getTime();
      expect(awayMs).toBeGreaterThanOrEqual(leaseMs);
      expect(awayMs).toBeLessThanOrEqual(leaseMs + leaseMs / 32);
    }
  });

  it('is the same for reports that follow each other soon, and later for later ones', () => {
    const ends = Array.from({ length: 60 }, (_, minute) => leaseEnd(now(minute * 60_000), HOUR_MS).getTime());
    expect(new Set(ends).size).toBeLessThanOrEqual(33);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect((ends.at(-1) ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(0.9 * HOUR_MS);
  });
});
