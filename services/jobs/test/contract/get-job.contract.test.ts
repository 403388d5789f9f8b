import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ANY_PLATFORM, as, claimNextTask, claimTaskOf, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const { PLATFORM_UNSPECIFIED, PLATFORM_DIRECT, PLATFORM_BATCH } = jobs.Platform;
const [alice, bob] = [1n, 2n];
const get = (userId: bigint, jobId: string, platform = PLATFORM_UNSPECIFIED) =>
  as(userId, () => gateway.getJob({ jobId, platform }));

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('GetJob OK', () => {
  it('shows progress, estimate and times of the tasks', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission({ taskCount: 2 }, 101)));
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    await runner.reportTask({ attemptId, simulatedPrimaries: 7n, estimatedTime: { seconds: 61n, nanos: 0 } });
    const { job } = await get(alice, jobId, PLATFORM_DIRECT);
    expect(job?.state).toBe(jobs.State.STATE_RUNNING);
    const task = job?.tasks.find(({ taskId }) => taskId === order.taskId);
    expect(task).toMatchObject({ state: jobs.State.STATE_RUNNING, simulatedPrimaries: 7n, attemptCount: 1 });
    expect(task?.estimatedTime?.seconds).toBe(61n);
    expect(task?.startTime?.getTime()).toBeGreaterThanOrEqual(job?.startTime?.getTime() ?? Number.POSITIVE_INFINITY);
    expect(task?.endTime).toBeUndefined();
    const other = job?.tasks.find(({ taskId }) => taskId !== order.taskId);
    expect(other).toMatchObject({ state: jobs.State.STATE_PENDING, simulatedPrimaries: 0n, startTime: undefined });
  });

  it('changes nothing, not even the time of the last update', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission()));
    const first = await get(alice, jobId);
    expect(await get(alice, jobId)).toEqual(first);
  });
});

describe('GetJob OK, as columns', () => {
  const columnsOf = (jobId: string, knownVersion = '') =>
    as(alice, () => gateway.getJob({ jobId, platform: PLATFORM_UNSPECIFIED, knownVersion }));

  /** Others of this file have left tasks behind. */
  const claimOf = (jobId: string) => claimTaskOf(jobId, suite.queue, runner);

  it('says what the tasks say one by one', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission({ taskCount: 3 }, 101)));
    const { attemptId, order } = await claimOf(jobId);
    await runner.reportTask({ attemptId, simulatedPrimaries: 7n, estimatedTime: { seconds: 61n, nanos: 0 } });
    const failed = await claimOf(jobId);
    const failure = { reason: 'DECK_INVALID', message: 'a "bad" deck', isRetryable: false };
    await runner.reportTaskEnd({ attemptId: failed.attemptId, outcome: { $case: 'failed', value: failure } });
    const { job: rows } = await get(alice, jobId);
    const { job, tasks } = await columnsOf(jobId);
    expect(job).toEqual({ ...rows, tasks: [] });
    const row = (i: number) => ({
      taskId: tasks?.taskIds[i],
      state: tasks?.states[i],
      requestedPrimaries: tasks?.requestedPrimaries[i],
      simulatedPrimaries: tasks?.simulatedPrimaries[i],
      estimated: tasks?.estimatedSeconds[i],
      times: [tasks?.startTimesMs[i], tasks?.endTimesMs[i], tasks?.lastUpdateTimesMs[i]],
      attemptCount: tasks?.attemptCounts[i],
      failure: tasks?.failures[i + 1] ?? '',
    });
    const inMs = (at: Date | undefined) => at?.getTime() ?? Number.NaN;
    expect(rows?.tasks.map((_, i) => row(i))).toEqual(
      rows?.tasks.map(({ estimatedTime, startTime, endTime, lastUpdateTime, ...task }) => ({
        ...task,
        estimated: Number(estimatedTime?.seconds ?? -1),
        times: [inMs(startTime), inMs(endTime), inMs(lastUpdateTime)],
      })),
    );
    expect(tasks?.simulatedPrimaries[order.taskId - 1]).toBe(7n);
    const [stored] = await suite.sql<{ start_time: Date; last_update_time: Date }>(
      'SELECT start_time, last_update_time FROM tasks WHERE current_attempt_id = $1',
      [attemptId],
    );
    expect(tasks?.startTimesMs[order.taskId - 1]).toBe(stored?.start_time.getTime());
    expect(tasks?.lastUpdateTimesMs[order.taskId - 1]).toBe(stored?.last_update_time.getTime());
    expect(tasks?.failures).toEqual({ [failed.order.taskId]: expect.stringContaining('DECK_INVALID') });
  });

  it('leaves them out while the version is the known one, and has another one after every change', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission({ taskCount: 2 })));
    const seen = new Set<string>();
    const seeNew = async () => {
      const { version = '', tasks } = await columnsOf(jobId);
      expect(tasks?.taskIds).toEqual([1, 2]);
      expect(seen).not.toContain(version);
      seen.add(version);
      const { version: again, tasks: none, job } = await columnsOf(jobId, version);
      expect([again, none, job?.jobId]).toEqual([version, undefined, jobId]);
    };
    await seeNew();
    const { attemptId } = await claimOf(jobId);
    await seeNew();
    await runner.reportTask({ attemptId, simulatedPrimaries: 7n });
    await seeNew();
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'released', value: {} } });
    await seeNew();
    await as(alice, () => gateway.cancelJob({ jobId, platform: PLATFORM_UNSPECIFIED }));
    await seeNew();
  });
});

describe('GetJob NOT_FOUND', () => {
  it('knows no such job', async () => {
    for (const jobId of ['', 'no-such-job', 'nul\0', "'; DROP TABLE jobs"]) {
      await expect(get(alice, jobId)).rejects.toMatchObject({
        status: 'NOT_FOUND',
        reason: 'JOB_NOT_FOUND',
        message: 'Job with provided ID does not exist',
      });
    }
  });

  it('knows no direct job on the batch path', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission()));
    await expect(get(alice, jobId, PLATFORM_BATCH)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    await expect(get(bob, jobId, PLATFORM_BATCH)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});

describe('GetJob PERMISSION_DENIED', () => {
  it("refuses another user's job", async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission()));
    await expect(get(bob, jobId)).rejects.toMatchObject({ status: 'PERMISSION_DENIED', reason: 'JOB_OF_ANOTHER_USER' });
  });

  it('is for the gateway', async () => {
    await expect(as(alice, () => runner.getJob({ jobId: 'x', platform: ANY_PLATFORM }))).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
