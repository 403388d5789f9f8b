import { describe, expect, it } from '@jest/globals';
import type { State } from '../job-state.js';
import type { TaskColumns } from '../task.js';
import { estimateRemaining } from './remaining-time.js';

interface Given {
  readonly state: State;
  readonly simulated?: number;
  readonly secondsLeft?: number;
  /** Since its start, to its end or last word. */
  readonly seconds?: number;
}

/** Tasks of 100 primaries each. */
function tasksOf(given: readonly Given[]): TaskColumns {
  return {
    taskIds: given.map((_, i) => i + 1),
    states: given.map(({ state }) => state),
    requestedPrimaries: given.map(() => 100n),
    simulatedPrimaries: given.map(({ simulated = 0 }) => BigInt(simulated)),
    estimatedSeconds: given.map(({ secondsLeft }) => secondsLeft ?? null),
    startTimesMs: given.map(({ seconds }) => (seconds === undefined ? null : 1_000)),
    endTimesMs: given.map(({ state, seconds = 0 }) => (state === 'COMPLETED' ? 1_000 + seconds * 1_000 : null)),
    lastUpdateTimesMs: given.map(({ seconds = 0 }) => 1_000 + seconds * 1_000),
    attemptCounts: given.map(() => 1),
    failures: new Map(),
  };
}
const remaining = (...given: readonly Given[]) => estimateRemaining({ state: 'RUNNING', tasks: tasksOf(given) });
const RUNNING: Given = { state: 'RUNNING', simulated: 80, secondsLeft: 10, seconds: 40 };
const PENDING: Given = { state: 'PENDING' };
const DONE: Given = { state: 'COMPLETED', simulated: 100, seconds: 50 };

describe('the time that a job still takes', () => {
  it('is that of the last running task while none waits', () => {
    expect(remaining(DONE, RUNNING, { ...RUNNING, secondsLeft: 25 })).toBe(25);
  });

  it('counts tasks that have not begun: 6 of 8 in three turns of two', () => {
    expect(remaining(RUNNING, RUNNING, PENDING, PENDING, PENDING, PENDING, PENDING, PENDING)).toBe(10 + 3 * 50);
    expect(remaining(RUNNING, RUNNING, PENDING)).toBe(10 + 50);
  });

  it('rests on finished tasks where those that run have not said how far they are', () => {
    expect(remaining(DONE, { state: 'RUNNING', seconds: 0 }, PENDING)).toBe(100);
  });

  it('is not known while no task runs, before one has said how far it is, and after the end', () => {
    expect(remaining(PENDING, DONE)).toBeUndefined();
    expect(remaining({ state: 'RUNNING', seconds: 0 }, PENDING)).toBeUndefined();
    expect(remaining()).toBeUndefined();
    expect(estimateRemaining({ state: 'CANCELED', tasks: tasksOf([RUNNING]) })).toBeUndefined();
  });
});
