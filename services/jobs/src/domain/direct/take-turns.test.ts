import { describe, expect, it } from '@jest/globals';
import { mustYield, type Turn } from './take-turns.js';

const turn = (more: Partial<Turn>): Turn => ({
  isRunning: false,
  isIdleUserWaiting: false,
  isLongerIdleUserWaiting: false,
  deferredMs: null,
  ...more,
});
const waiting = { isIdleUserWaiting: true };

describe('whose turn it is', () => {
  it.each([
    ['nobody else waits', turn({ isRunning: true }), false],
    ['somebody with nothing running waits', turn({ isRunning: true, ...waiting }), true],
    ['both have nothing running, the other was served later', turn(waiting), false],
    [
      'both have nothing running, the other was served earlier',
      turn({ ...waiting, isLongerIdleUserWaiting: true }),
      true,
    ],
    ['it had to wait a moment ago', turn({ isRunning: true, ...waiting, deferredMs: 1_999 }), false],
    ['it had to wait some time ago', turn({ isRunning: true, ...waiting, deferredMs: 2_000 }), true],
  ])('%s', (_what, given, expected) => {
    expect(mustYield(given)).toBe(expected);
  });
});
