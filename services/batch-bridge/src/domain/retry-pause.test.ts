import { describe, expect, it } from '@jest/globals';
import { retryPauseMs } from './retry-pause.js';

const limits = { retryFirstMs: 1_000, retryMaxMs: 10_000 };

describe('retryPauseMs', () => {
  it('doubles up to the longest', () => {
    const pauses = [0, 1, 2, 3, 4, 1_000].map((tryCount) => retryPauseMs(limits, tryCount, () => 1));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('is shortened by up to half, so that many jobs do not come back at once', () => {
    expect([0, 0.5].map((random) => retryPauseMs(limits, 0, () => random))).toEqual([500, 750]);
  });
});
