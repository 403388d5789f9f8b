import { describe, expect, it } from '@jest/globals';
import type { Observation, SchedulerJobId } from '../../domain/scheduler.js';
import {
  failureText,
  freshRecord,
  isLost,
  isStuckForGood,
  isWatched,
  judgeTask,
  noteObservation,
  type TaskRecord,
} from '../../domain/task-record.js';
import { mapState, meaningOf, SLURM_STATES } from './state-map.js';

/* The rules of domain/task-record.ts over every state of Slurm, and everything that can be stored of a task. */

const now = new Date('2026-11-21T15:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const whole = { now, isWhole: true };
const judged = { now, graceMs: 0, isWanted: true };

function seen(slurmState: string, reason = '', more: Partial<Observation> = {}): Observation {
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

/** Everything that can be stored of a task before a look. */
const fresh = freshRecord(1);
const failedBefore: TaskRecord = {
  ...fresh,
  told: 'running',
  end: { outcome: 'failed', description: 'TIMEOUT', seenAt: later(-1) },
};
const STORED: Readonly<Record<string, TaskRecord>> = {
  fresh,
  absent: { ...fresh, absentSince: later(-1_000) },
  stuck: { ...fresh, stuckSince: later(-1_000) },
  running: { ...fresh, told: 'running' },
  'completed for the scheduler': {
    ...fresh,
    told: 'running',
    end: { outcome: 'completed', description: 'COMPLETED', seenAt: later(-1) },
  },
  'failed for the scheduler': failedBefore,
  'failed for the scheduler, with an end of its own': { ...failedBefore, hasOwnEnd: true },
  'ended for jobs': { ...fresh, told: 'ended' },
  'ended for jobs after a failure': { ...failedBefore, told: 'ended' },
};

it('the lists of this test name every Slurm state', () => {
  expect([...PENDING, ...STUCK, ...RUNNING, ...FAILED, 'COMPLETED'].sort()).toEqual([...SLURM_STATES].sort());
});

describe.each(Object.entries(STORED))('a task that is %s', (name, stored) => {
  const look = (state: string, reason?: string) => {
    const observation = seen(state, reason);
    const noted = noteObservation(stored, observation, whole);
    return { noted, judgement: judgeTask(noted, observation, judged) };
  };
  const hasEnd = stored.end !== undefined;
  const mayFailLater = stored === failedBefore;

  it.each(PENDING)('waits in %s', (state) => {
    const { noted, judgement } = look(state);
    expect(judgement).toBe(mayFailLater ? 'tell-failed' : 'nothing');
    if (!hasEnd) expect(noted).toEqual({ ...stored, absentSince: undefined, stuckSince: undefined });
  });

  it.each([...STUCK.map((state) => [state, '']), ['PENDING', 'PartitionTimeLimit']])(
    'is stuck in %s %s, from the first time on',
    (state, reason) => {
      const { noted, judgement } = look(state, reason);
      expect(judgement).toBe(mayFailLater ? 'tell-failed' : 'nothing');
      if (!hasEnd) expect(noted.stuckSince).toEqual(stored.stuckSince ?? now);
      expect(noted.absentSince).toBeUndefined();
    },
  );

  it.each(RUNNING)('is told to be running in %s, once', (state) => {
    const { noted, judgement } = look(state);
    const isNews = stored.told === 'nothing' && !hasEnd;
    expect(judgement).toBe(isNews ? 'tell-running' : mayFailLater ? 'tell-failed' : 'nothing');
    if (!hasEnd) expect(noted).toEqual({ ...stored, absentSince: undefined, stuckSince: undefined });
  });

  it.each(FAILED)('is failed by %s, unless jobs has its end, or it has written one of its own', (state) => {
    const { noted, judgement } = look(state);
    if (!hasEnd) expect(noted.end).toMatchObject({ seenAt: now, description: expect.stringContaining(state) });
    const isOpen = stored.told !== 'ended' && !stored.hasOwnEnd && stored.end?.outcome !== 'completed';
    expect(judgement).toBe(isOpen ? 'tell-failed' : 'nothing');
  });

  it('waits for its result after COMPLETED', () => {
    const { noted, judgement } = look('COMPLETED');
    if (!hasEnd) expect(noted.end?.outcome).toBe('completed');
    expect(judgement).toBe(mayFailLater ? 'tell-failed' : 'nothing');
  });

  it.each(['TELEPORTED', ''])('stays as it is in the unknown state %j', (state) => {
    const { noted, judgement } = look(state);
    if (!hasEnd) expect(noted).toEqual({ ...stored, absentSince: undefined });
    expect(judgement).toBe(mayFailLater ? 'tell-failed' : 'nothing');
  });

  it('is absent from the first time on when the scheduler does not show it, and that alone is no end', () => {
    const noted = noteObservation(stored, undefined, whole);
    if (!hasEnd) expect(noted.absentSince).toEqual(stored.absentSince ?? now);
    expect(noted.end).toEqual(stored.end);
    expect(judgeTask(noted, undefined, judged)).toBe(mayFailLater ? 'tell-failed' : 'nothing');
  });

  it('stays as it is when the scheduler answers in part only', () => {
    expect(noteObservation(stored, undefined, { now, isWhole: false })).toEqual(stored);
  });

  it('is not told about while its job is canceled', () => {
    for (const state of SLURM_STATES) {
      const observation = seen(state);
      const noted = noteObservation(stored, observation, whole);
      expect([name, judgeTask(noted, observation, { ...judged, isWanted: false })]).toEqual([name, 'nothing']);
    }
  });
});

describe('times', () => {
  it('tells a failure only when what the task wrote last has had time to arrive', () => {
    const noted = noteObservation(fresh, seen('TIMEOUT'), whole);
    const judge = (ms: number) => judgeTask(noted, undefined, { now: later(ms), graceMs: 60_000, isWanted: true });
    expect([0, 59_999, 60_000].map(judge)).toEqual(['nothing', 'nothing', 'tell-failed']);
  });

  it('takes a task for lost, or stuck for good, at the limit and not before; never one that has ended', () => {
    const absent: TaskRecord = { ...fresh, absentSince: now, stuckSince: now };
    for (const isOver of [isLost, isStuckForGood]) {
      expect(isOver(absent, later(599_999), 600_000)).toBe(false);
      expect(isOver(absent, later(600_000), 600_000)).toBe(true);
      expect(isOver(fresh, later(600_000), 600_000)).toBe(false);
      expect(isOver({ ...failedBefore, absentSince: now, stuckSince: now }, later(600_000), 1)).toBe(false);
    }
  });
});

describe('an exit code that accounts tell late', () => {
  const exit = { code: 7, signal: 0 };
  const first = noteObservation(fresh, seen('FAILED', 'NonZeroExitCode'), whole);

  it('is waited for until the failure is told, and added to what was seen', () => {
    expect([fresh, first, { ...first, told: 'ended' as const }, { ...first, hasOwnEnd: true }].map(isWatched)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const second = noteObservation(first, seen('FAILED', 'NonZeroExitCode', { exit }), {
      now: later(1),
      isWhole: true,
    });
    expect(second.end).toEqual({ ...first.end, description: 'FAILED: NonZeroExitCode (exit code 7)' });
  });

  it('changes nothing when it is of another end, or of none', () => {
    for (const state of ['RUNNING', 'COMPLETED', 'PENDING']) {
      expect(noteObservation(first, seen(state, '', { exit }), whole)).toEqual(first);
    }
  });
});

describe('failureText', () => {
  const text = (observation: Observation) => failureText(noteObservation(fresh, observation, whole).end);

  it.each([
    [seen('TIMEOUT', 'TimeLimit'), 'The scheduler ended the task: TIMEOUT: TimeLimit (it ran into its time limit)'],
    [
      seen('FAILED', 'NonZeroExitCode', { exit: { code: 7, signal: 0 } }),
      'The scheduler ended the task: FAILED: NonZeroExitCode (exit code 7)',
    ],
    [seen('FAILED', '', { exit: { code: 0, signal: 9 } }), 'The scheduler ended the task: FAILED (signal 9)'],
    [
      seen('CANCELLED by 1002', '', { exit: { code: 0, signal: 15 } }),
      'The scheduler ended the task: CANCELLED by 1002 (it was canceled on the cluster, signal 15)',
    ],
    [seen('COMPLETED'), 'The task left no result; the scheduler says: COMPLETED'],
  ])('says why in the words of the scheduler: %#', (observation, expected) => {
    expect(text(observation)).toBe(expected);
  });

  it('has words for a task that never ended, and for one that was lost', () => {
    expect(failureText(undefined)).toContain('has not ended');
    expect(failureText({ outcome: 'lost', description: 'gone', seenAt: now })).toBe('gone');
  });
});
