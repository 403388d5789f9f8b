import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import type { MergeStore, TaskStore } from './ports.js';
import { leaseSweeper } from './sweep-leases.js';
import type { AttemptId } from './task.js';

const leaseMs = 10_000;
const unused = () => Promise.reject(new Error('not part of this test'));

function sweeping() {
  const clock = fakeClock();
  const lost: string[] = [];
  const state = { isDown: false, poison: '' };
  const tasks: TaskStore = {
    claimTask: unused,
    reportTask: unused,
    findRequestedPrimaries: unused,
    listExpiredAttempts: async () => {
      if (state.isDown) throw new Error('database is down');
      return ['a', 'b'] as AttemptId[];
    },
    endAttempt: async (id, end) => {
      if (id === state.poison) throw new Error(`${id} cannot end`);
      return lost.push(`${id} ${end.kind}`) > 0;
    },
  };
  const merges: MergeStore = {
    claimMerge: unused,
    reportMerge: unused,
    listExpiredMerges: async () => ['m'],
    endMerge: async (id, runnerId, end) => lost.push(`${id} ${end.kind} ${runnerId}`) > 0,
  };
  const wake = { outbox: () => {}, deletions: () => {}, errands: () => {} };
  const limits = { attemptsMax: 3, releasesMax: 1 };
  return { clock, lost, state, sweep: leaseSweeper({ tasks, merges, wake, limits, clock, leaseMs }) };
}

describe('the sweeper', () => {
  it('declares workers lost, but only after the database has answered for a whole lease', async () => {
    const { clock, lost, sweep } = sweeping();
    for (let ms = 0; ms < leaseMs; ms += 1_000) {
      await sweep();
      await clock.advance(1_000);
    }
    expect(lost).toEqual([]);
    await sweep();
    expect(lost).toEqual(['a lost', 'b lost', 'm lost undefined']);
  });

  it('waits a whole lease again after the database was away, or the process stood still', async () => {
    for (const fault of ['database', 'pause']) {
      const { clock, lost, state, sweep } = sweeping();
      await sweep();
      if (fault === 'database') {
        state.isDown = true;
        await expect(sweep()).rejects.toThrow('database is down');
        state.isDown = false;
      }
      await clock.advance(10 * leaseMs);
      await sweep();
      await clock.advance(leaseMs - 1);
      await sweep();
      expect(lost).toEqual([]);
      await clock.advance(1);
      await sweep();
      expect(lost).toHaveLength(3);
    }
  });

  it('goes on to the others when one cannot be ended', async () => {
    const { clock, lost, state, sweep } = sweeping();
    state.poison = 'a';
    await sweep();
    await clock.advance(leaseMs);
    for (let round = 1; round <= 2; round++) {
      await expect(sweep()).rejects.toThrow('a cannot end');
      expect(lost).toHaveLength(2 * round);
    }
  });
});
