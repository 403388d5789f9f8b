import { describe, expect, it } from '@jest/globals';
import type { TaskTally } from '../job-end.js';
import { STATES } from '../job-state.js';
import { TASK_TRANSITIONS } from '../task-state.js';
import { decideBatchEnd, groupReports, keptText, SCHEDULER_TRIGGERS } from './batch-report.js';

describe('what a scheduler says of tasks', () => {
  it('moves them forward only: no state is entered from itself, from a later one or from a terminal one', () => {
    const later: Record<string, readonly string[]> = {
      RUNNING: ['RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
      FAILED: ['COMPLETED', 'FAILED', 'CANCELED'],
      CANCELED: ['COMPLETED', 'FAILED', 'CANCELED'],
    };
    for (const [word, trigger] of Object.entries(SCHEDULER_TRIGGERS)) {
      const { from, to } = TASK_TRANSITIONS[trigger];
      expect(to).toBe(word);
      for (const state of STATES) {
        expect([word, state, from.some((left) => left === state)]).toEqual([
          word,
          state,
          !later[word]?.includes(state),
        ]);
      }
    }
  });

  it('is one change for all that say the same', () => {
    const groups = groupReports([
      { taskId: 1, state: 'RUNNING', failure: '' },
      { taskId: 2, state: 'FAILED', failure: 'NODE_FAIL' },
      { taskId: 3, state: 'RUNNING', failure: '' },
      { taskId: 4, state: 'FAILED', failure: 'TIMEOUT' },
      { taskId: 5, state: 'FAILED', failure: 'NODE_FAIL' },
    ]);
    expect(groups).toEqual([
      { state: 'RUNNING', failure: '', taskIds: [1, 3] },
      { state: 'FAILED', failure: 'NODE_FAIL', taskIds: [2, 5] },
      { state: 'FAILED', failure: 'TIMEOUT', taskIds: [4] },
    ]);
  });
});

describe('the end on the cluster', () => {
  const end = { failure: 'refused', lastTask: 0 };
  const tally: TaskTally = {
    openCount: 0,
    completedCount: 0,
    undeliveredCount: 0,
    firstUndelivered: null,
    givenUpCount: 3,
    unexplainedCount: 0,
    primaries: 30n,
    givenUpPrimaries: 30n,
    deliveredPrimaries: 0n,
    stoppedCount: 0,
    exampleFailure: 'task 1: x',
  };
  it('is why the job failed, when nothing had ended before it', () => {
    expect(decideBatchEnd(end, 3, tally)).toEqual({ kind: 'fail', failure: 'refused' });
  });
  it('leaves the word to the tasks that had failed before, and the merge to those that delivered', () => {
    expect(decideBatchEnd(end, 2, tally)).toEqual({ kind: 'fail', failure: '3 of 3 tasks failed; task 1: x' });
    expect(decideBatchEnd(end, 2, { ...tally, completedCount: 1, givenUpCount: 2 }).kind).toBe('merge');
    const whole = { ...tally, completedCount: 3, givenUpCount: 0 };
    expect(decideBatchEnd(end, 0, whole)).toEqual({ kind: 'merge', failure: null });
  });
  it('is the end of waiting, too: for outputs that never came, and for results after a failure without a reason', () => {
    const missing = { ...tally, completedCount: 2, undeliveredCount: 1, givenUpCount: 1, unexplainedCount: 1 };
    expect(decideBatchEnd(end, 0, missing)).toEqual({ kind: 'merge', failure: '2 of 3 tasks failed; task 1: x' });
    expect(decideBatchEnd(end, 0, { ...missing, undeliveredCount: 2 }).kind).toBe('fail');
  });
});

describe('a text from outside', () => {
  it('is kept without what the database has no place for, and cut', () => {
    expect(keptText('a\0b\n')).toBe('ab\n');
    expect(keptText('x'.repeat(3_000))).toHaveLength(2_000);
  });
});
