import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jobRow, taskRow } from '../../test/rows.js';
import { decideCancel } from './cancel-job.js';
import { type Change, type Draft, openDraft } from './change.js';
import { decideClaim } from './direct/claim-task.js';
import { decideProgress } from './direct/report-task.js';
import { decideTaskEnd } from './direct/report-task-end.js';
import { type AttemptRow, emptySnapshot, NO_TASKS, type Snapshot, type TaskRow } from './snapshot.js';
import type { AttemptId, RunnerId } from './task.js';

const now = new Date('2030-01-01T00:00:00Z');
const { jobKey, jobId } = jobRow;
const idOf = (taskId: number) => `a${taskId}` as AttemptId;

/** A job of `count` tasks, each with an unclaimed attempt; all are loaded. */
function snapshotOf(count: number): Snapshot {
  const taskIds = Array.from({ length: count }, (_, i) => i + 1);
  const tasks = taskIds.map(
    (taskId): TaskRow => ({ ...taskRow, taskKey: BigInt(taskId), taskId, currentAttemptId: idOf(taskId) }),
  );
  const unclaimed = { number: 1, runnerId: null, leaseExpiresAt: null, endedAt: null, outcome: null, cpuMs: 0 };
  const attempts = taskIds.map((taskId): AttemptRow => ({ id: idOf(taskId), taskKey: BigInt(taskId), ...unclaimed }));
  const restOfTasks = new Map([[jobKey, NO_TASKS]]);
  return { ...emptySnapshot(now), jobs: [jobRow], lockedJobs: new Set([jobKey]), tasks, attempts, restOfTasks };
}

/** What a transaction after this change loads. */
function apply(snapshot: Snapshot, change: Change): Snapshot {
  const merge = <Row>(rows: readonly Row[], put: readonly Row[], keyOf: (row: Row) => unknown): Row[] => [
    ...new Map([...rows, ...put].map((row) => [keyOf(row), row])).values(),
  ];
  return {
    ...snapshot,
    jobs: merge(snapshot.jobs, change.jobs, (row) => row.jobKey),
    tasks: merge(snapshot.tasks, change.tasks, (row) => row.taskKey),
    attempts: merge(snapshot.attempts, [...change.attempts, ...change.openedAttempts], (row) => row.id),
    merges: merge(snapshot.merges, change.merges, (row) => row.jobKey).filter(
      ({ id }) => !change.endedMerges.includes(id),
    ),
  };
}

const event = fc.record({
  kind: fc.constantFrom('claim' as const, 'claim' as const, 'progress' as const, 'end' as const, 'cancel' as const),
  taskId: fc.integer({ min: 1, max: 4 }),
  n: fc.nat(1_500),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

function decide(draft: Draft, { kind, taskId, n }: Event): unknown {
  const attemptId = idOf(taskId);
  switch (kind) {
    case 'claim':
      return decideClaim(draft, { attemptId, runnerId: `r${n % 2}` as RunnerId, leaseMs: 1_000 });
    case 'progress':
      return decideProgress(draft, attemptId, { simulatedPrimaries: BigInt(n), estimatedSeconds: n }, 1_000);
    case 'end': {
      const end = { kind: 'completed', simulatedPrimaries: n % 3 === 0 ? 1n : 1_000n } as const;
      return decideTaskEnd(draft, attemptId, end, { limits: { attemptsMax: 1, releasesMax: 0 }, workerLeaseMs: 1_000 });
    }
    case 'cancel':
      return n % 20 === 0 ? decideCancel(draft, jobId) : undefined;
  }
}

/** Ids of new merges are drawn; what is stored together is told once. */
const seen = ({ jobs, tasks, attempts, merges }: Snapshot) => ({
  jobs: jobs.map((job) => ({ ...job, mergeId: job.mergeId !== null })),
  tasks: tasks.map((task) => ({ ...task, progressEventAt: null })),
  attempts,
  merges: merges.map((merge) => ({ ...merge, id: '' })),
});

describe('a draft', () => {
  it('of many events stores what one after the other would have stored, with the same answers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(event, { maxLength: 40 }), (count, events) => {
        const together = openDraft(snapshotOf(count));
        const answers = events.map((one) => decide(together, one));
        let apart = snapshotOf(count);
        for (const [i, one] of events.entries()) {
          const draft = openDraft(apart);
          expect(decide(draft, one)).toEqual(answers[i]);
          apart = apply(apart, draft.change());
        }
        expect(seen(apply(snapshotOf(count), together.change()))).toEqual(seen(apart));
      }),
    );
  });

  it('holds no row that stays as it was', () => {
    const draft = openDraft(snapshotOf(1));
    draft.putTask({ ...draft.task(1n) });
    draft.putJob({ ...draft.job(jobKey) });
    expect(draft.change()).toMatchObject({ jobs: [], tasks: [], attempts: [], openedAttempts: [] });
  });

  it('tells states, what a job waits for, and progress once in a second', () => {
    const eventsOf = (before: Partial<TaskRow>, after: Partial<TaskRow>) => {
      const [task] = snapshotOf(1).tasks;
      if (task === undefined) throw new Error('a job without tasks');
      const draft = openDraft({ ...snapshotOf(1), tasks: [{ ...task, ...before }] });
      draft.putTask({ ...draft.task(1n), ...after });
      return draft.change();
    };
    const progress = { simulatedPrimaries: 7n };
    const told = (ms: number) => ({ progressEventAt: new Date(now.getTime() - ms) });
    expect(eventsOf({}, { state: 'RUNNING', ...progress }).events).toEqual([{ kind: 'task', jobKey, taskKey: 1n }]);
    expect(eventsOf({}, progress)).toMatchObject({
      events: [{ kind: 'progress', jobKey, taskKey: 1n }],
      tasks: [{ progressEventAt: now }],
    });
    expect(eventsOf(told(999), progress)).toMatchObject({ events: [], tasks: [told(999)] });
    expect(eventsOf(told(1_000), { estimatedSeconds: 3 }).events).toHaveLength(1);
    expect(eventsOf({}, { lastUpdateTime: now, currentAttemptId: 'a2', hasOutput: true }).events).toEqual([]);
    const draft = openDraft(snapshotOf(1));
    draft.putJob({ ...jobRow, mergeId: 'm1' });
    expect(draft.change().events).toEqual([]);
    draft.putJob({ ...jobRow, waitingReason: 'the cluster is full' });
    expect(draft.change().events).toEqual([{ kind: 'job', jobKey }]);
  });

  it('takes back a message that it added itself', () => {
    const draft = openDraft(snapshotOf(1));
    draft.addMessage({ ownerId: 1n, jobKey, id: 'new' });
    draft.dropMessage('new');
    draft.dropMessage('old');
    expect(draft.change()).toMatchObject({ addedMessages: [], droppedMessages: ['old'] });
  });

  it('refuses to change a job that is not locked, and to judge tasks that it does not know', () => {
    const draft = openDraft({ ...snapshotOf(1), lockedJobs: new Set(), restOfTasks: new Map() });
    expect(() => draft.putJob({ ...jobRow, state: 'RUNNING' })).toThrow('not locked');
    expect(() => draft.tally(jobKey)).toThrow('not loaded');
    expect(() => draft.task(9n)).toThrow('not loaded');
  });
});
