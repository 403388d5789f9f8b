import { describe, expect, it } from '@jest/globals';
import { backoffMs } from './backoff.js';

describe('backoffMs', () => {
  it('doubles up to the longest', () => {
    const pauses = [0, 1, 2, 3, 4, 1_000].map((attemptCount) => backoffMs(1_000, 10_000, attemptCount, () => 1));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('is shortened by up to half, so that many jobs do not come back at once', () => {
    expect([0, 0.5].map((random) => backoffMs(1_000, 10_000, 0, () => random))).toEqual([500, 750]);
  });
});
