import { describe, expect, it } from '@jest/globals';
import {
  applyObservation,
  dueReport,
  failureText,
  isLost,
  isStuckTooLong,
  mustPoll,
  newRecord,
  type TaskRecord,
} from '../../domain/observe/task-record.js';
import type { Observation, SchedulerJobId } from '../../domain/scheduler.js';
import { mapState, meaningOf, SLURM_STATES } from './state-map.js';

/* The rules of domain/observe/task-record.ts over every state of Slurm, and everything that can be stored of a task. */

const now = new Date('2026-11-21T15:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const context = { now, graceMs: 0, isStopped: false };

function observed(slurmState: string, reason = '', more: Partial<Observation> = {}): Observation {
  const meaning = meaningOf(slurmState, reason);
  return {
    schedulerJobId: '12' as SchedulerJobId,
    arrayIndex: 1,
    marker: 'tally-a-1',
    state: mapState(slurmState, reason),
    description: reason === '' ? slurmState : `${slurmState}: ${reason}`,
    ...(meaning === undefined ? {} : { meaning }),
    ...more,
  };
}

const PENDING = ['PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_FED', 'POWER_UP_NODE'];
const STUCK = ['REQUEUE_HOLD', 'RESV_DEL_HOLD', 'SPECIAL_EXIT'];
const RUNNING = 'RUNNING COMPLETING EXPEDITING RESIZING SIGNALING STAGE_OUT STOPPED SUSPENDED UPDATE_DB'.split(' ');
const FAILED =
  `FAILED TIMEOUT DEADLINE OUT_OF_MEMORY BOOT_FAIL LAUNCH_FAILED NODE_FAIL PREEMPTED RECONFIG_FAIL CANCELLED REVOKED`.split(
    ' ',
  );

/** Everything that can be stored of a task before a poll. */
const fresh = newRecord(1);
const failedBefore: TaskRecord = {
  ...fresh,
  reported: 'running',
  end: { outcome: 'failed', description: 'TIMEOUT', observedAt: later(-1) },
};
const STORED: Readonly<Record<string, TaskRecord>> = {
  fresh,
  absent: { ...fresh, absentSince: later(-1_000) },
  stuck: { ...fresh, stuckSince: later(-1_000) },
  running: { ...fresh, reported: 'running' },
  'completed for the scheduler': {
    ...fresh,
    reported: 'running',
    end: { outcome: 'completed', description: 'COMPLETED', observedAt: later(-1) },
  },
  'failed for the scheduler': failedBefore,
  'failed for the scheduler, with an end of its own': { ...failedBefore, hasEndFile: true },
  'ended for jobs': { ...fresh, reported: 'ended' },
  'ended for jobs after a failure': { ...failedBefore, reported: 'ended' },
};

it('the lists of this test name every Slurm state', () => {
  expect([...PENDING, ...STUCK, ...RUNNING, ...FAILED, 'COMPLETED'].sort()).toEqual([...SLURM_STATES].sort());
});

describe.each(Object.entries(STORED))('a task that is %s', (name, stored) => {
  const poll = (state: string, reason?: string) => {
    const observation = observed(state, reason);
    const record = applyObservation(stored, observation, now);
    return { record, due: dueReport(record, observation, context) };
  };
  const hasEnd = stored.end !== undefined;
  const mayFailLater = stored === failedBefore;

  it.each(PENDING)('waits in %s', (state) => {
    const { record, due } = poll(state);
    expect(due).toBe(mayFailLater ? 'failed' : 'nothing');
    if (!hasEnd) expect(record).toEqual({ ...stored, absentSince: undefined, stuckSince: undefined });
  });

  it.each([...STUCK.map((state) => [state, '']), ['PENDING', 'PartitionTimeLimit']])(
    'is stuck in %s %s, from the first time on',
    (state, reason) => {
      const { record, due } = poll(state, reason);
      expect(due).toBe(mayFailLater ? 'failed' : 'nothing');
      if (!hasEnd) expect(record.stuckSince).toEqual(stored.stuckSince ?? now);
      expect(record.absentSince).toBeUndefined();
    },
  );

  it.each(RUNNING)('is reported as running in %s, once', (state) => {
    const { record, due } = poll(state);
    const isNews = stored.reported === 'nothing' && !hasEnd;
    expect(due).toBe(isNews ? 'running' : mayFailLater ? 'failed' : 'nothing');
    if (!hasEnd) expect(record).toEqual({ ...stored, absentSince: undefined, stuckSince: undefined });
  });

  it.each(FAILED)('is failed by %s, unless jobs has its end, or it has written one of its own', (state) => {
    const { record, due } = poll(state);
    if (!hasEnd) expect(record.end).toMatchObject({ observedAt: now, description: expect.stringContaining(state) });
    const isOpen = stored.reported !== 'ended' && !stored.hasEndFile && stored.end?.outcome !== 'completed';
    expect(due).toBe(isOpen ? 'failed' : 'nothing');
  });

  it('waits for its result after COMPLETED', () => {
    const { record, due } = poll('COMPLETED');
    if (!hasEnd) expect(record.end?.outcome).toBe('completed');
    expect(due).toBe(mayFailLater ? 'failed' : 'nothing');
  });

  it.each(['TELEPORTED', ''])('stays as it is in the unknown state %j', (state) => {
    const { record, due } = poll(state);
    if (!hasEnd) expect(record).toEqual({ ...stored, absentSince: undefined });
    expect(due).toBe(mayFailLater ? 'failed' : 'nothing');
  });

  it('is absent from the first time on when the scheduler does not show it, and that alone is no end', () => {
    const record = applyObservation(stored, undefined, now);
    if (!hasEnd) expect(record.absentSince).toEqual(stored.absentSince ?? now);
    expect(record.end).toEqual(stored.end);
    expect(dueReport(record, undefined, context)).toBe(mayFailLater ? 'failed' : 'nothing');
  });

  it('is not reported while its job is canceled', () => {
    for (const state of SLURM_STATES) {
      const observation = observed(state);
      const record = applyObservation(stored, observation, now);
      expect([name, dueReport(record, observation, { ...context, isStopped: true })]).toEqual([name, 'nothing']);
    }
  });
});

describe('times', () => {
  it('reports a failure only when what the task wrote last has had time to arrive', () => {
    const record = applyObservation(fresh, observed('TIMEOUT'), now);
    const reportAfter = (ms: number) =>
      dueReport(record, undefined, { now: later(ms), graceMs: 60_000, isStopped: false });
    expect([0, 59_999, 60_000].map(reportAfter)).toEqual(['nothing', 'nothing', 'failed']);
  });

  it('takes a task for lost, or stuck for too long, at the limit and not before; never one that has ended', () => {
    const absent: TaskRecord = { ...fresh, absentSince: now, stuckSince: now };
    for (const isOver of [isLost, isStuckTooLong]) {
      expect(isOver(absent, later(599_999), 600_000)).toBe(false);
      expect(isOver(absent, later(600_000), 600_000)).toBe(true);
      expect(isOver(fresh, later(600_000), 600_000)).toBe(false);
      expect(isOver({ ...failedBefore, absentSince: now, stuckSince: now }, later(600_000), 1)).toBe(false);
    }
  });
});

describe('an exit code that sacct shows late', () => {
  const exit = { code: 7, signal: 0 };
  const first = applyObservation(fresh, observed('FAILED', 'NonZeroExitCode'), now);

  it('is waited for until the failure is reported, and added to its description', () => {
    expect(
      [fresh, first, { ...first, reported: 'ended' as const }, { ...first, hasEndFile: true }].map(mustPoll),
    ).toEqual([true, true, false, false]);
    const second = applyObservation(first, observed('FAILED', 'NonZeroExitCode', { exit }), later(1));
    expect(second.end).toEqual({ ...first.end, description: 'FAILED: NonZeroExitCode (exit code 7)' });
  });

  it('changes nothing when it is of another end, or of none', () => {
    for (const state of ['RUNNING', 'COMPLETED', 'PENDING']) {
      expect(applyObservation(first, observed(state, '', { exit }), now)).toEqual(first);
    }
  });
});

describe('failureText', () => {
  const text = (observation: Observation) => failureText(applyObservation(fresh, observation, now).end);

  it.each([
    [observed('TIMEOUT', 'TimeLimit'), 'The scheduler ended the task: TIMEOUT: TimeLimit (it ran into its time limit)'],
    [
      observed('FAILED', 'NonZeroExitCode', { exit: { code: 7, signal: 0 } }),
      'The scheduler ended the task: FAILED: NonZeroExitCode (exit code 7)',
    ],
    [observed('FAILED', '', { exit: { code: 0, signal: 9 } }), 'The scheduler ended the task: FAILED (signal 9)'],
    [
      observed('CANCELLED by 1002', '', { exit: { code: 0, signal: 15 } }),
      'The scheduler ended the task: CANCELLED by 1002 (it was canceled on the cluster, signal 15)',
    ],
    [observed('COMPLETED'), 'The task left no result; the scheduler says: COMPLETED'],
  ])('says why with the reason of the scheduler: %#', (observation, expected) => {
    expect(text(observation)).toBe(expected);
  });

  it('has a text for a task that never ended, and for one that was lost', () => {
    expect(failureText(undefined)).toContain('has not ended');
    expect(failureText({ outcome: 'lost', description: 'gone', observedAt: now })).toBe('gone');
  });
});
