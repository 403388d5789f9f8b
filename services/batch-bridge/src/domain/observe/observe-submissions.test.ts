import { describe, expect, it } from '@jest/globals';
import {
  canceled,
  completed,
  ObservationFixture,
  pending,
  running,
  stuck,
  timeout,
} from '../../../test/observation-fixture.js';
import { cancelOnCluster } from '../clean/cancel-on-cluster.js';
import { clearFolder } from '../clean/clear-folder.js';
import { fail } from '../errors.js';
import { isIn } from '../submission.js';
import { endSubmission } from '../submission-state.js';
import { observeSubmissions } from './observe-submissions.js';
import { reportWaiting } from './report-waiting.js';
import { newRecord } from './task-record.js';

const MINUTE_MS = 60_000;

async function round(fixture: ObservationFixture): Promise<void> {
  await observeSubmissions(fixture.ports, fixture.session, fixture.cluster, [fixture.submission]);
}

describe('reporting', () => {
  it('reports once that tasks run, by one call for all of them, and nothing while nothing changes', async () => {
    const fixture = new ObservationFixture(3);
    await round(fixture);
    expect(fixture.reports).toEqual([]);
    fixture.show(running, 1, 2);
    await round(fixture);
    await round(fixture);
    expect(fixture.reports).toEqual([{ tasks: [1, 2].map((taskId) => ({ taskId, state: 'RUNNING', failure: '' })) }]);
    expect(fixture.calls).toMatchObject({ observe: 3, list: 0, state: 0 });
  });

  it('reports it again when jobs was unavailable', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show(running, 1);
    const { ports } = fixture;
    let isDown = true;
    const jobs = {
      ...ports.jobs,
      reportBatch: async (...args: Parameters<typeof ports.jobs.reportBatch>) => {
        if (isDown) throw fail('CLUSTER_UNREACHABLE', { message: 'jobs is down' });
        return ports.jobs.reportBatch(...args);
      },
    };
    const observe = () =>
      observeSubmissions({ ...ports, jobs }, fixture.session, fixture.cluster, [fixture.submission]);
    await expect(observe()).rejects.toThrow('jobs is down');
    isDown = false;
    await observe();
    expect(fixture.taskStates.get(1)).toBe('RUNNING');
  });

  it('fails a task with the reason of the scheduler', async () => {
    const fixture = new ObservationFixture(2);
    fixture.show(timeout, 1);
    await round(fixture);
    await round(fixture);
    const failure = 'SCHEDULER_ENDED: The scheduler ended the task: TIMEOUT: TimeLimit';
    expect(fixture.reports).toEqual([{ tasks: [{ taskId: 1, state: 'FAILED', failure }] }]);
  });

  it('does not fail a task that has written its own end, whatever the scheduler says of it then and later', async () => {
    const fixture = new ObservationFixture(2);
    fixture.write('tasks/1/end.json', 'whatever it says');
    fixture.show(timeout, 1);
    for (let i = 0; i < 3; i++) await round(fixture);
    expect(fixture.reports).toEqual([]);
    expect(fixture.calls.list).toBe(1);
    expect(fixture.record(1)).toMatchObject({ hasEndFile: true, reported: 'nothing' });
  });

  it('decides nothing about a failed task while its folder cannot be listed, and the job says why it waits', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show(timeout, 1);
    fixture.listingFault = fail('FILE_UNREADABLE');
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('PENDING');
    expect(fixture.waitingReason).toContain('cannot be read');
    fixture.listingFault = fail('COMMAND_OUTPUT_TOO_LARGE'); // a million files
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('PENDING');
    expect(fixture.waitingReason).toContain('more than is read');
    fixture.listingFault = undefined;
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('FAILED');
    expect(fixture.waitingReason).toBe('');
  });

  it('gives what a task wrote last time to arrive', async () => {
    const fixture = new ObservationFixture(1, {}, { failureGraceMs: MINUTE_MS });
    fixture.show(timeout, 1);
    await round(fixture);
    expect(fixture.reports).toEqual([]);
    await fixture.clock.advance(MINUTE_MS);
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('FAILED');
  });

  it('never fails a task that has ended well for the scheduler: its result decides', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show(completed, 1);
    await round(fixture);
    fixture.show(timeout, 1);
    await round(fixture);
    expect(fixture.reports).toEqual([]);
  });
});

describe('absence', () => {
  it('is nothing for a while, then a loss', async () => {
    const fixture = new ObservationFixture(2);
    fixture.show(running, 1);
    await round(fixture);
    fixture.reports.length = 0;
    fixture.show(undefined, 1);
    await round(fixture);
    await fixture.clock.advance(599_999);
    await round(fixture);
    expect(fixture.reports).toEqual([]);
    await fixture.clock.advance(1);
    await round(fixture);
    expect(fixture.reports).toMatchObject([{ tasks: [{ taskId: 1, state: 'FAILED' }] }]);
    expect(fixture.reports[0]?.tasks?.[0]?.failure).toContain('does not know the task any more');
  });

  it('is forgotten when the task is shown again', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show(undefined, 1);
    await round(fixture);
    fixture.show(running, 1);
    await round(fixture);
    fixture.show(undefined, 1);
    await fixture.clock.advance(599_999);
    await round(fixture);
    await fixture.clock.advance(599_999);
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('RUNNING');
  });

  const lose = async (fixture: ObservationFixture, ...taskIds: number[]) => {
    fixture.show(undefined, ...taskIds);
    await round(fixture);
    await fixture.clock.advance(600_000);
    await round(fixture);
  };

  it('of all that has not begun is not the end: it is looked for once more, and submitted again', async () => {
    const fixture = new ObservationFixture(2);
    const knownAt = fixture.clock.now();
    await lose(fixture, 0, 1, 2);
    expect(fixture.reports).toEqual([]);
    expect(fixture.stored).toMatchObject({ dueAt: fixture.clock.now(), attemptCount: 0, phase: { kind: 'uploaded' } });
    const { phase } = fixture.stored;
    if (phase.kind !== 'uploaded') throw new Error('it is to be submitted again');
    expect(phase.remoteJob.schedulerJobs.map(({ ordinal, state }) => ({ ordinal, state }))).toEqual([
      { ordinal: 0, state: { kind: 'attempted', attemptedAt: knownAt } },
      { ordinal: 1, state: { kind: 'attempted', attemptedAt: knownAt } },
    ]);
    expect(fixture.record(1)).toEqual(newRecord(1));
  });

  it('of the array alone leaves the collect job as it is', async () => {
    const fixture = new ObservationFixture(1);
    await lose(fixture, 1);
    const { phase } = fixture.stored;
    if (phase.kind !== 'uploaded') throw new Error('it is to be submitted again');
    expect(phase.remoteJob.schedulerJobs.map(({ state }) => state.kind)).toEqual(['known', 'attempted']);
  });

  it('of tasks that have not begun waits for the rest of their array, then they are arrays of their own', async () => {
    const fixture = new ObservationFixture(7);
    fixture.show(running, 1, 4, 7);
    await round(fixture);
    const { reports } = fixture;
    reports.length = 0;
    await lose(fixture, 2, 3, 5, 6);
    expect([reports, fixture.stored.phase.kind]).toEqual([[], 'submitted']);
    fixture.show(completed, 1, 4);
    fixture.show(timeout, 7);
    await round(fixture);
    const { phase } = fixture.stored;
    if (phase.kind !== 'uploaded') throw new Error('some of it is to be submitted again');
    expect(phase.remoteJob.schedulerJobs).toMatchObject([
      { ordinal: 0, state: { kind: 'known' } },
      { ordinal: 1, state: { kind: 'ended', description: 'completed 2, lost 4, failed 1' } },
      { ordinal: 2, firstTask: 2, taskCount: 2, state: { kind: 'planned' } },
      { ordinal: 3, firstTask: 5, taskCount: 2, state: { kind: 'planned' } },
    ]);
    expect([2, 3, 5, 6].map((id) => fixture.record(id))).toEqual([2, 3, 5, 6].map(newRecord));
    expect([1, 4, 7].map((id) => fixture.record(id).end?.outcome)).toEqual(['completed', 'completed', 'failed']);
  });

  it.each([
    ['was shown to run', (fixture: ObservationFixture) => fixture.show(running, 1)],
    ['has left a file', (fixture: ObservationFixture) => fixture.write('tasks/1/log', 'it has begun')],
    ['has ended for jobs', (fixture: ObservationFixture) => fixture.taskStates.set(1, 'COMPLETED')],
    ['is not wanted any more', (fixture: ObservationFixture) => fixture.setDesired('canceled')],
  ])('of a task that %s is a loss', async (_what, happen) => {
    const fixture = new ObservationFixture(1);
    happen(fixture);
    await round(fixture);
    await lose(fixture, 0, 1);
    expect(fixture.stored.phase.kind).not.toBe('uploaded');
  });

  it('is what a job of another name under the same id amounts to', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show({ ...timeout, marker: 'somebody-else' }, 1);
    await round(fixture);
    expect(fixture.reports).toEqual([]);
    expect(fixture.record(1)).toMatchObject({ absentSince: fixture.clock.now() });
  });
});

describe('a task that the scheduler holds', () => {
  it('makes the job say why it waits, until it does not', async () => {
    const fixture = new ObservationFixture(2);
    fixture.show(stuck, 1, 2);
    await round(fixture);
    await round(fixture);
    expect(fixture.reports).toHaveLength(1);
    expect(fixture.waitingReason).toBe(
      'The scheduler holds it, and it will not start by itself: PENDING: PartitionTimeLimit',
    );
    fixture.show(pending, 1, 2);
    await round(fixture);
    await round(fixture);
    expect(fixture.reports.slice(1)).toEqual([{ waitingReason: '' }]);
  });

  it('is canceled and failed after too long, and only it', async () => {
    const fixture = new ObservationFixture(3);
    fixture.show(stuck, 1, 3);
    fixture.show(running, 2);
    await round(fixture);
    await fixture.clock.advance(3_600_000);
    await round(fixture);
    expect(fixture.canceled).toEqual([[{ id: '100', indices: [1, 3] }]]);
    expect([...fixture.taskStates.values()]).toEqual(['FAILED', 'RUNNING', 'FAILED']);
    const failures = fixture.reports.flatMap(({ tasks = [] }) => tasks.map(({ failure }) => failure));
    expect(failures.at(-1)).toContain('PartitionTimeLimit');
    expect(fixture.waitingReason).toBe('');
  });
});

describe('a task that the cluster stops and runs again', () => {
  it('makes the job say so until it runs, and has not ended', async () => {
    const fixture = new ObservationFixture(2);
    fixture.show(running, 1, 2);
    await round(fixture);
    fixture.show(pending, 2);
    await round(fixture);
    await round(fixture);
    expect(fixture.reports.slice(1)).toEqual([
      { waitingReason: 'The cluster has stopped a task, to be run again: PENDING: Priority' },
    ]);
    fixture.show(running, 2);
    await round(fixture);
    await round(fixture);
    expect(fixture.reports.slice(2)).toEqual([{ waitingReason: '' }]);
    expect([...fixture.taskStates.values()]).toEqual(['RUNNING', 'RUNNING']);
  });
});

describe('cancel', () => {
  const cancel = (fixture: ObservationFixture) => cancelOnCluster(fixture.ports, fixture.session, [fixture.submission]);

  it('ends the arrays by one command and leaves the collect job, and is repeated after a while until it has worked', async () => {
    const fixture = new ObservationFixture(3);
    fixture.show(running, 1, 2);
    fixture.show(completed, 3);
    fixture.setDesired('canceled');
    await cancel(fixture);
    expect(fixture.canceled).toEqual([[{ id: '100' }]]);
    expect(fixture.submission.phase.cancelSentAt).toEqual(fixture.clock.now());
    await round(fixture); // it takes its time
    expect(fixture.canceled).toHaveLength(1);
    await fixture.clock.advance(120_000);
    await round(fixture);
    await round(fixture);
    expect(fixture.canceled).toHaveLength(2);
    expect(fixture.submission.phase.cancelSentAt).toEqual(fixture.clock.now());
    await fixture.clock.advance(120_000);
    fixture.show(canceled, 1, 2);
    await round(fixture);
    await round(fixture);
    expect(fixture.canceled).toHaveLength(2);
    expect(fixture.reports).toEqual([]); // jobs has canceled them itself
    expect(fixture.ended).toBeUndefined(); // the collect job has not run yet
    fixture.show(completed, 0);
    await round(fixture);
    expect(fixture.ended).toBeDefined();
  });

  it('never ends a job of another name that got the same id', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show({ ...running, marker: 'somebody-else' }, 1);
    fixture.setDesired('canceled');
    await cancel(fixture);
    await round(fixture);
    expect(fixture.canceled).toEqual([]);
  });

  it('ends the collect job, too, when the job is to be removed; then ends it without fetching anything', async () => {
    const fixture = new ObservationFixture(1, { isReachingGateway: false });
    fixture.show(running, 1);
    fixture.setDesired('deleted');
    await cancel(fixture);
    expect(fixture.canceled).toEqual([[{ id: '200' }, { id: '100' }]]);
    fixture.show(canceled, 0, 1);
    await round(fixture);
    expect(fixture.ended).toEqual({ message: 'The job was deleted' });
    expect(fixture.calls).toMatchObject({ list: 0, state: 0 });
  });
});

it('reportWaiting says why, once, and nothing of jobs that are to end anyway', async () => {
  const fixture = new ObservationFixture(1);
  await reportWaiting(fixture.ports, [fixture.submission], 'expired');
  await reportWaiting(fixture.ports, [fixture.submission], 'expired');
  expect(fixture.reports).toEqual([{ waitingReason: 'expired' }]);
  fixture.setDesired('canceled');
  await reportWaiting(fixture.ports, [fixture.submission], 'something else');
  expect(fixture.reports).toHaveLength(1);
  // and the next round that succeeds takes it back
  fixture.setDesired('run');
  await round(fixture);
  expect(fixture.waitingReason).toBe('');
});

it('clearFolder removes exactly the folder of the job', async () => {
  const fixture = new ObservationFixture(1);
  const ended = endSubmission(fixture.submission, { message: 'over' }, fixture.clock.now());
  fixture.stored = ended;
  if (!isIn('ended', ended)) throw new Error('it has ended');
  await clearFolder(fixture.ports, fixture.session, fixture.cluster, 'jane', ended);
  expect(fixture.calls.removed).toEqual([`/scratch/jane/${fixture.jobId}`]);
  expect(fixture.stored.phase.kind).toBe('cleared');
  await expect(clearFolder(fixture.ports, fixture.session, fixture.cluster, '../root', ended)).rejects.toMatchObject({
    reason: 'CREDENTIAL_UNUSABLE',
  });
  expect(fixture.calls.removed).toHaveLength(1);
});
