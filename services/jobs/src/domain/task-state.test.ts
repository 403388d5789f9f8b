import { describe, expect, it } from '@jest/globals';
import { STATES, type State } from './job-state.js';
import { TASK_TRANSITIONS } from './task-state.js';

/** The moves that a task may make, written down a second time. Nothing but REPORTED enters the states that are a job's. */
const EXPECTED: Readonly<Record<State, readonly State[]>> = {
  UNKNOWN: ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
  PENDING: ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
  RUNNING: ['PENDING', 'COMPLETED', 'FAILED', 'CANCELED'],
  MERGING_QUEUED: ['PENDING', 'COMPLETED', 'FAILED', 'CANCELED'],
  MERGING_RUNNING: ['PENDING', 'COMPLETED', 'FAILED', 'CANCELED'],
  COMPLETED: ['PENDING'],
  FAILED: ['PENDING'],
  CANCELED: ['PENDING'],
};
const transitions = Object.values(TASK_TRANSITIONS);

describe('the states of a task', () => {
  it.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
    '%s → %s is as the table says',
    (from, to) => {
      const isAllowed = transitions.some((row) => row.to === to && row.from.some((state) => state === from));
      expect(isAllowed).toBe(EXPECTED[from].includes(to));
    },
  );

  it('change for a reason that is written down', () => {
    for (const { because } of transitions) expect(because.length).toBeGreaterThan(20);
  });
});
