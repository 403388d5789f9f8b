import { describe, expect, it } from '@jest/globals';
import {
  canceled,
  completed,
  ObservationWorld,
  pending,
  running,
  stuck,
  timeout,
} from '../../test/observation-world.js';
import { cancelOnCluster } from './cancel-on-cluster.js';
import { clearFolder } from './clear-folder.js';
import { fail } from './errors.js';
import { observeSubmissions } from './observe-submissions.js';
import { reportWaiting } from './report-waiting.js';
import type { SubmissionIn } from './submission.js';

const MINUTE_MS = 60_000;

async function round(world: ObservationWorld): Promise<void> {
  await observeSubmissions(world.ports, world.session, world.cluster, [world.submission]);
}

describe('telling', () => {
  it('says once that tasks run, by one call for all of them, and nothing while nothing changes', async () => {
    const world = new ObservationWorld(3);
    await round(world);
    expect(world.reports).toEqual([]);
    world.show(running, 1, 2);
    await round(world);
    await round(world);
    expect(world.reports).toEqual([{ tasks: [1, 2].map((taskId) => ({ taskId, state: 'RUNNING', failure: '' })) }]);
    expect(world.calls).toMatchObject({ observe: 3, list: 0, order: 0 });
  });

  it('says it again when jobs did not hear it', async () => {
    const world = new ObservationWorld(1);
    world.show(running, 1);
    const { ports } = world;
    let isDown = true;
    const jobs = {
      ...ports.jobs,
      reportBatch: async (...args: Parameters<typeof ports.jobs.reportBatch>) => {
        if (isDown) throw fail('CLUSTER_UNREACHABLE', { message: 'jobs is down' });
        return ports.jobs.reportBatch(...args);
      },
    };
    const observe = () => observeSubmissions({ ...ports, jobs }, world.session, world.cluster, [world.submission]);
    await expect(observe()).rejects.toThrow('jobs is down');
    isDown = false;
    await observe();
    expect(world.taskStates.get(1)).toBe('RUNNING');
  });

  it('fails a task in the words of the scheduler', async () => {
    const world = new ObservationWorld(2);
    world.show(timeout, 1);
    await round(world);
    await round(world);
    const failure = 'The scheduler ended the task: TIMEOUT: TimeLimit';
    expect(world.reports).toEqual([{ tasks: [{ taskId: 1, state: 'FAILED', failure }] }]);
  });

  it('does not fail a task that has written its own end, whatever the scheduler says of it then and later', async () => {
    const world = new ObservationWorld(2);
    world.write('tasks/1/end.json', 'whatever it says');
    world.show(timeout, 1);
    for (let i = 0; i < 3; i++) await round(world);
    expect(world.reports).toEqual([]);
    expect(world.calls.list).toBe(1);
    expect(world.record(1)).toMatchObject({ hasOwnEnd: true, told: 'nothing' });
  });

  it('decides nothing about a failed task while its folder cannot be looked at, and says why the job waits', async () => {
    const world = new ObservationWorld(1);
    world.show(timeout, 1);
    world.listingFault = fail('FILE_UNREADABLE');
    await round(world);
    expect(world.taskStates.get(1)).toBe('PENDING');
    expect(world.waitingReason).toContain('cannot be read');
    world.listingFault = fail('COMMAND_OUTPUT_TOO_LARGE'); // a million files
    await round(world);
    expect(world.taskStates.get(1)).toBe('PENDING');
    expect(world.waitingReason).toContain('more than is read');
    world.listingFault = undefined;
    await round(world);
    expect(world.taskStates.get(1)).toBe('FAILED');
    expect(world.waitingReason).toBe('');
  });

  it('gives what a task wrote last time to arrive', async () => {
    const world = new ObservationWorld(1, {}, { failureGraceMs: MINUTE_MS });
    world.show(timeout, 1);
    await round(world);
    expect(world.reports).toEqual([]);
    await world.clock.advance(MINUTE_MS);
    await round(world);
    expect(world.taskStates.get(1)).toBe('FAILED');
  });

  it('never fails a task that has ended well for the scheduler: its result decides', async () => {
    const world = new ObservationWorld(1);
    world.show(completed, 1);
    await round(world);
    world.show(timeout, 1);
    await round(world);
    expect(world.reports).toEqual([]);
  });
});

describe('absence', () => {
  it('is nothing for a while, then a loss, if the controller answers', async () => {
    const world = new ObservationWorld(2);
    world.show(undefined, 1);
    await round(world);
    await world.clock.advance(599_999);
    await round(world);
    expect(world.reports).toEqual([]);
    expect(world.calls.ping).toBe(0);
    await world.clock.advance(1);
    world.isControllerUp = false;
    await round(world);
    expect(world.reports).toEqual([]);
    world.isControllerUp = true;
    await round(world);
    expect(world.reports).toMatchObject([{ tasks: [{ taskId: 1, state: 'FAILED' }] }]);
    expect(world.reports[0]?.tasks?.[0]?.failure).toContain('does not know the task any more');
    expect(world.calls.ping).toBe(2);
  });

  it('is forgotten when the task is shown again', async () => {
    const world = new ObservationWorld(1);
    world.show(undefined, 1);
    await round(world);
    world.show(running, 1);
    await round(world);
    world.show(undefined, 1);
    await world.clock.advance(599_999);
    await round(world);
    await world.clock.advance(599_999);
    await round(world);
    expect(world.taskStates.get(1)).toBe('RUNNING');
  });

  it('does not count while a part of the scheduler does not answer', async () => {
    const world = new ObservationWorld(1);
    world.show(undefined, 1);
    world.isSchedulerWhole = false;
    await round(world);
    await world.clock.advance(6_000_000);
    await round(world);
    expect(world.record(1).absentSince).toBeUndefined();
    expect(world.reports).toEqual([]);
  });

  it('is what a job of another name under the same id amounts to', async () => {
    const world = new ObservationWorld(1);
    world.show({ ...timeout, marker: 'somebody-else' }, 1);
    await round(world);
    expect(world.reports).toEqual([]);
    expect(world.record(1)).toMatchObject({ absentSince: world.clock.now() });
  });
});

describe('a task that the scheduler holds', () => {
  it('makes the job say why it waits, until it goes on', async () => {
    const world = new ObservationWorld(2);
    world.show(stuck, 1, 2);
    await round(world);
    await round(world);
    expect(world.reports).toHaveLength(1);
    expect(world.waitingReason).toBe(
      'The scheduler holds it, and it will not start by itself: PENDING: PartitionTimeLimit',
    );
    world.show(pending, 1, 2);
    await round(world);
    await round(world);
    expect(world.reports.slice(1)).toEqual([{ waitingReason: '' }]);
  });

  it('is canceled and failed after too long, and only it', async () => {
    const world = new ObservationWorld(3);
    world.show(stuck, 1, 3);
    world.show(running, 2);
    await round(world);
    await world.clock.advance(3_600_000);
    await round(world);
    expect(world.canceled).toEqual([[{ id: '100', indices: [1, 3] }]]);
    expect([...world.taskStates.values()]).toEqual(['FAILED', 'RUNNING', 'FAILED']);
    const failures = world.reports.flatMap(({ tasks = [] }) => tasks.map(({ failure }) => failure));
    expect(failures.at(-1)).toContain('PartitionTimeLimit');
    expect(world.waitingReason).toBe('');
  });
});

describe('a task that the cluster stops and runs again', () => {
  it('makes the job say so until it runs, and has not ended', async () => {
    const world = new ObservationWorld(2);
    world.show(running, 1, 2);
    await round(world);
    world.show(pending, 2);
    await round(world);
    await round(world);
    expect(world.reports.slice(1)).toEqual([
      { waitingReason: 'The cluster has stopped a task, to be run again: PENDING: Priority' },
    ]);
    world.show(running, 2);
    await round(world);
    await round(world);
    expect(world.reports.slice(2)).toEqual([{ waitingReason: '' }]);
    expect([...world.taskStates.values()]).toEqual(['RUNNING', 'RUNNING']);
  });
});

describe('cancel', () => {
  const cancel = (world: ObservationWorld) => cancelOnCluster(world.ports, world.session, [world.submission]);

  it('ends the arrays by one command and leaves the collect job, and is repeated after a while until it has worked', async () => {
    const world = new ObservationWorld(3);
    world.show(running, 1, 2);
    world.show(completed, 3);
    world.want({ isCancelWanted: true });
    await cancel(world);
    expect(world.canceled).toEqual([[{ id: '100' }]]);
    expect(world.submission.phase.cancelSentAt).toEqual(world.clock.now());
    await round(world); // it takes its time
    expect(world.canceled).toHaveLength(1);
    await world.clock.advance(120_000);
    await round(world);
    await round(world);
    expect(world.canceled).toHaveLength(2);
    expect(world.submission.phase.cancelSentAt).toEqual(world.clock.now());
    await world.clock.advance(120_000);
    world.show(canceled, 1, 2);
    await round(world);
    await round(world);
    expect(world.canceled).toHaveLength(2);
    expect(world.reports).toEqual([]); // jobs has canceled them itself
    expect(world.ended).toBeUndefined(); // the collect job has not run yet
    world.show(completed, 0);
    await round(world);
    expect(world.ended).toBeDefined();
  });

  it('never ends a job of another name that got the same id', async () => {
    const world = new ObservationWorld(1);
    world.show({ ...running, marker: 'somebody-else' }, 1);
    world.want({ isCancelWanted: true });
    await cancel(world);
    await round(world);
    expect(world.canceled).toEqual([]);
  });

  it('ends the collect job, too, when the job is to be removed; then ends it without fetching anything', async () => {
    const world = new ObservationWorld(1, { isReachingGateway: false });
    world.show(running, 1);
    world.want({ isDeleteWanted: true });
    await cancel(world);
    expect(world.canceled).toEqual([[{ id: '200' }, { id: '100' }]]);
    world.show(canceled, 0, 1);
    await round(world);
    expect(world.ended).toEqual({ message: 'The job was deleted' });
    expect(world.calls).toMatchObject({ list: 0, order: 0 });
  });
});

it('reportWaiting says why, once, and nothing of jobs that are to end anyway', async () => {
  const world = new ObservationWorld(1);
  await reportWaiting(world.ports, [world.submission], 'expired');
  await reportWaiting(world.ports, [world.submission], 'expired');
  expect(world.reports).toEqual([{ waitingReason: 'expired' }]);
  world.want({ isCancelWanted: true });
  await reportWaiting(world.ports, [world.submission], 'something else');
  expect(world.reports).toHaveLength(1);
  // and the next round that succeeds takes it back
  world.want({ isCancelWanted: false });
  await round(world);
  expect(world.waitingReason).toBe('');
});

it('clearFolder removes exactly the folder of the job', async () => {
  const world = new ObservationWorld(1);
  const ended = { ...world.submission, phase: { kind: 'ended' } } as unknown as SubmissionIn<'ended'>;
  await clearFolder(world.ports, world.session, world.cluster, 'jane', ended);
  expect(world.calls.removed).toEqual([`/scratch/jane/${world.jobId}`]);
  expect(world.isCleared).toBe(true);
  await expect(clearFolder(world.ports, world.session, world.cluster, '../root', ended)).rejects.toMatchObject({
    reason: 'CREDENTIAL_UNUSABLE',
  });
  expect(world.calls.removed).toHaveLength(1);
});
