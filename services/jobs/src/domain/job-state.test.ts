import { describe, expect, it } from '@jest/globals';
import {
  isTerminal,
  JOB_TRANSITIONS,
  OPEN_STATES,
  REPORTED,
  STATES,
  type State,
  TERMINAL_STATES,
} from './job-state.js';

/** The moves that a job may make, written down a second time: a row for each state it leaves. */
const EXPECTED: Readonly<Record<State, readonly State[]>> = {
  UNKNOWN: ['PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
  PENDING: ['RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
  RUNNING: ['MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
  MERGING_QUEUED: ['RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
  MERGING_RUNNING: ['PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'],
  COMPLETED: ['PENDING', 'MERGING_QUEUED'],
  FAILED: ['PENDING', 'MERGING_QUEUED'],
  CANCELED: [],
};
const transitions = Object.values(JOB_TRANSITIONS);
const allows = (from: State, to: State) =>
  transitions.some((transition) => transition.to === to && transition.from.some((state) => state === from));

describe('the states of a job', () => {
  it.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
    '%s → %s is as the table says',
    (from, to) => {
      expect(allows(from, to)).toBe(EXPECTED[from].includes(to));
    },
  );

  it('are terminal or open, never both', () => {
    expect([...OPEN_STATES, ...TERMINAL_STATES].toSorted()).toEqual([...STATES].toSorted());
    expect(STATES.filter(isTerminal)).toEqual(['COMPLETED', 'FAILED', 'CANCELED']);
  });

  it('all lead to a terminal state', () => {
    for (const start of OPEN_STATES) {
      const seen = new Set<State>([start]);
      for (const state of seen) for (const to of STATES) if (allows(state, to)) seen.add(to);
      expect([...seen].some(isTerminal)).toBe(true);
    }
  });

  it('are open to an external worker as long as they are open: it may say any', () => {
    expect([REPORTED.from, REPORTED.to]).toEqual([OPEN_STATES, STATES]);
  });

  it('change for a reason that is written down', () => {
    for (const { because } of transitions) expect(because.length).toBeGreaterThan(20);
  });
});
