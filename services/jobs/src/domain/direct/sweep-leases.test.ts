import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { jobRow, taskRow } from '../../../test/rows.js';
import { type Draft, openDraft } from '../change.js';
import type { LeaseStore, StateStore } from '../ports.js';
import { emptySnapshot, NO_TASKS } from '../snapshot.js';
import type { AttemptId } from '../task.js';
import { leaseSweeper } from './sweep-leases.js';

const leaseMs = 10_000;
const sweepIntervalMs = 1_000;
const unused = () => Promise.reject(new Error('not part of this test'));

function sweeping(interval = sweepIntervalMs) {
  const clock = fakeClock();
  const lost: string[] = [];
  const state = { isDown: false, poison: '' };
  const leases: LeaseStore = {
    listExpired: async () => {
      if (state.isDown) throw new Error('database is down');
      return ['a', 'b'] as AttemptId[];
    },
  };
  const expired = { number: 1, runnerId: 'r', leaseExpiresAt: new Date(0), endedAt: null, outcome: null, cpuMs: 0 };
  const change = <T>(id: string, decide: (draft: Draft) => T): T => {
    if (id === state.poison) throw new Error(`${id} cannot end`);
    const draft = openDraft({
      ...emptySnapshot(clock.now()),
      jobs: [{ ...jobRow, state: 'RUNNING' }],
      lockedJobs: new Set([jobRow.jobKey]),
      tasks: [{ ...taskRow, currentAttemptId: id, state: 'RUNNING' }],
      attempts: [{ ...expired, id, taskKey: taskRow.taskKey }],
      restOfTasks: new Map([[jobRow.jobKey, NO_TASKS]]),
    });
    const result = decide(draft);
    for (const one of draft.change().attempts) lost.push(`${one.id} ${one.outcome}`);
    return result;
  };
  const states: StateStore = {
    changeTasks: async ([ref], decide) => change(ref && 'attemptId' in ref ? ref.attemptId : '', decide),
    changeJob: unused,
  };
  const limits = { attemptsMax: 3, releasesMax: 1 };
  let countedCount = 0;
  const onLost = () => countedCount++;
  const ports = { leases, states, limits, workerLeaseMs: leaseMs, clock, leaseMs, sweepIntervalMs: interval, onLost };
  return { clock, lost, counted: () => countedCount, state, sweep: leaseSweeper(ports) };
}

describe('the sweeper', () => {
  it('declares workers lost, but only after the database has answered for a whole lease', async () => {
    const { clock, lost, counted, sweep } = sweeping();
    for (let ms = 0; ms < leaseMs; ms += 1_000) {
      await sweep();
      await clock.advance(1_000);
    }
    expect(lost).toEqual([]);
    await sweep();
    expect(lost).toEqual(['a lost', 'b lost']);
    expect(counted()).toBe(2);
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
      await clock.advance(fault === 'pause' ? 0.7 * leaseMs : 10 * leaseMs);
      await sweep();
      for (let ms = 1_000; ms < leaseMs; ms += 1_000) {
        await clock.advance(1_000);
        await sweep();
      }
      expect(lost).toEqual([]);
      await clock.advance(1_000);
      await sweep();
      expect(lost).toHaveLength(2);
    }
  });

  it('takes no long interval for a pause', async () => {
    for (const interval of [0.6 * leaseMs, 2 * leaseMs]) {
      const { clock, lost, sweep } = sweeping(interval);
      for (let ms = 0; ms <= 2 * leaseMs; ms += interval) {
        await sweep();
        await clock.advance(1.1 * interval);
      }
      expect(lost).toContain('a lost');
    }
  });

  it('goes on to the others when one cannot be ended', async () => {
    const { clock, lost, state, sweep } = sweeping();
    state.poison = 'a';
    for (let ms = 0; ms < leaseMs; ms += 1_000) {
      await sweep();
      await clock.advance(1_000);
    }
    for (let round = 1; round <= 2; round++) {
      await expect(sweep()).rejects.toThrow('a cannot end');
      expect(lost).toHaveLength(round);
    }
  });
});
