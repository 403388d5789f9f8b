import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideJobStep, isMergeDue, judgeDelivery, type MissingOutputs, type TaskTally } from './job-end.js';

const NOTHING: TaskTally = {
  openCount: 0,
  completedCount: 0,
  undeliveredCount: 0,
  firstUndelivered: null,
  givenUpCount: 0,
  unexplainedCount: 0,
  primaries: 300n,
  givenUpPrimaries: 0n,
  deliveredPrimaries: 0n,
  stoppedCount: 0,
  exampleFailure: null,
};
const completed = (count: number, more: Partial<TaskTally> = {}): TaskTally => ({
  ...NOTHING,
  completedCount: count,
  ...more,
});
const failed = { givenUpCount: 1, givenUpPrimaries: 100n, exampleFailure: 'task 2: R' };
const unexplained = { ...failed, unexplainedCount: 1, exampleFailure: 'task 2: REPORTED' };

describe('a job whose tasks have ended', () => {
  it('is merged from what there is, and fails when there is nothing', () => {
    expect(decideJobStep(completed(3), 'external', false)).toEqual({ kind: 'merge', failure: null });
    const some = decideJobStep(completed(2, failed), 'external', false);
    expect(some).toEqual({ kind: 'merge', failure: '1 of 3 tasks failed; task 2: R' });
    expect(decideJobStep(completed(0, failed), 'external', false)).toEqual({
      kind: 'fail',
      failure: '1 of 1 tasks failed; task 2: R',
    });
  });

  it('goes on while a task is open, or its output is on its way from a cluster', () => {
    for (const missing of ['external', 'pending', 'lost'] as const) {
      expect(decideJobStep(completed(2, { openCount: 1 }), missing, true).kind).toBe('continue');
    }
    expect(decideJobStep(completed(2, { undeliveredCount: 1 }), 'pending', false).kind).toBe('continue');
    const lost = decideJobStep(completed(2, { undeliveredCount: 1, firstUndelivered: 2 }), 'lost', false);
    expect(lost).toMatchObject({
      kind: 'merge',
      failure: expect.stringContaining('1 of 2 tasks failed; task 2: OUTPUT_MISSING'),
    });
    expect(decideJobStep(completed(2, { undeliveredCount: 2 }), 'lost', false).kind).toBe('fail');
  });

  it('waits for its worker under a lease, where that keeps its outputs to itself, and then goes to the runners', () => {
    const kept = completed(3, { undeliveredCount: 3 });
    expect(decideJobStep(kept, 'external', false)).toEqual({
      kind: 'await-results',
      failure: null,
      waitingReason: null,
    });
    expect(decideJobStep(kept, 'external', true).kind).toBe('merge');
    expect([isMergeDue(kept), isMergeDue(completed(3))]).toEqual([false, true]);
  });

  it('waits for results after a failure without a reason, whatever else is there, and no longer than the lease', () => {
    for (const tally of [completed(0, unexplained), completed(2, unexplained)]) {
      const step = decideJobStep(tally, 'external', false);
      expect(step).toMatchObject({ kind: 'await-results', waitingReason: expect.stringContaining('without a reason') });
      expect(isMergeDue(tally)).toBe(false);
      expect(decideJobStep(tally, 'pending', false).kind).toBe('await-results');
      const after = tally.completedCount === 0 ? 'fail' : 'merge';
      expect(decideJobStep(tally, 'external', true)).toMatchObject({
        kind: after,
        failure: expect.stringContaining('task 2: REPORTED'),
      });
      expect(decideJobStep(tally, 'lost', false).kind).toBe(after); // the cluster has nothing more to give
    }
  });
});

describe('final results of an external worker', () => {
  it('are of all tasks, when none failed', () => {
    const whole = { isPartial: false, primaries: 300n, taskCount: 3, failure: null };
    expect(judgeDelivery(completed(1, { openCount: 2 }), undefined)).toEqual(whole);
    expect(judgeDelivery(completed(3), 250n)).toEqual({ ...whole, primaries: 250n });
  });

  it('are partial without the tasks that failed, and say why', () => {
    const partial = { isPartial: true, primaries: 200n, taskCount: 2, failure: '1 of 3 tasks failed; task 2: R' };
    expect(judgeDelivery(completed(2, failed), undefined)).toEqual(partial);
    expect(judgeDelivery(completed(1, { openCount: 1, ...failed }), 150n)).toEqual({ ...partial, primaries: 150n });
  });

  it('show that a failure without a reason was a mistake, unless they say that histories are missing', () => {
    const tally = completed(2, unexplained);
    const whole = { isPartial: false, primaries: 300n, taskCount: 3, failure: null };
    for (const said of [undefined, 300n]) expect(judgeDelivery(tally, said)).toEqual(whole);
    expect(judgeDelivery(tally, 200n)).toMatchObject({ isPartial: true, primaries: 200n, taskCount: 2 });
    const both = { ...tally, givenUpCount: 2, givenUpPrimaries: 200n };
    expect(judgeDelivery(both, undefined)).toMatchObject({ isPartial: true, primaries: 100n });
  });
});

describe('whatever the tasks are', () => {
  const count = fc.nat(3);
  const tallies = fc
    .tuple(count, count, count, count, count)
    .map(([openCount, completedCount, a, givenUpCount, b]) => ({
      ...NOTHING,
      openCount,
      completedCount,
      undeliveredCount: Math.min(a, completedCount),
      givenUpCount,
      unexplainedCount: Math.min(b, givenUpCount),
      exampleFailure: givenUpCount > 0 ? 'task 1: R' : null,
    }));
  const places = fc.constantFrom<MissingOutputs>('external', 'pending', 'lost');

  it('a job never waits when the lease is over, never ends before its tasks, and never fails without saying why', () => {
    fc.assert(
      fc.property(tallies, places, fc.boolean(), (tally, missing, isLeaseOver) => {
        const step = decideJobStep(tally, missing, isLeaseOver);
        if (isLeaseOver) expect(step.kind).not.toBe('await-results');
        if (tally.openCount > 0) expect(step.kind).toBe('continue');
        if (step.kind === 'fail') expect(step.failure).not.toBe('');
        const { isPartial, failure } = judgeDelivery(tally, undefined);
        expect(failure === null).toBe(!isPartial);
      }),
    );
  });
});
