import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob } from '../shown-job.js';
import { ANY_PLATFORM, as, claimNextTask, claimTaskOf, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const { PLATFORM_UNSPECIFIED, PLATFORM_DIRECT, PLATFORM_BATCH } = jobs.Platform;
const [alice, bob] = [1n, 2n];
const get = (userId: bigint, jobId: string, platform = PLATFORM_UNSPECIFIED) =>
  findJob(gateway, userId, jobId, platform);

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
    const job = await get(alice, jobId, PLATFORM_DIRECT);
    expect(job.state).toBe(jobs.State.STATE_RUNNING);
    const task = job.tasks.find(({ taskId }) => taskId === order.taskId);
    expect(task).toMatchObject({ state: jobs.State.STATE_RUNNING, simulatedPrimaries: 7n, attemptCount: 1 });
    expect(task?.estimatedTime?.seconds).toBe(61n);
    expect(task?.startTime?.getTime()).toBeGreaterThanOrEqual(job.startTime?.getTime() ?? Number.POSITIVE_INFINITY);
    expect(task?.endTime).toBeUndefined();
    const other = job.tasks.find(({ taskId }) => taskId !== order.taskId);
    expect(other).toMatchObject({ state: jobs.State.STATE_PENDING, simulatedPrimaries: 0n, startTime: undefined });
  });

  it('changes nothing, not even the time of the last update', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission()));
    const first = await get(alice, jobId);
    expect(await get(alice, jobId)).toEqual(first);
  });
});

describe('GetJob OK, task by task', () => {
  it('has a value for each task in each column, as they are stored', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission({ taskCount: 3 }, 101)));
    const { attemptId, order } = await claimTaskOf(jobId, suite.queue, runner);
    await runner.reportTask({ attemptId, simulatedPrimaries: 7n, estimatedTime: { seconds: 61n, nanos: 0 } });
    const failed = await claimTaskOf(jobId, suite.queue, runner);
    const failure = { reason: 'DECK_INVALID', message: 'a "bad" deck', isRetryable: false };
    await runner.reportTaskEnd({ attemptId: failed.attemptId, outcome: { $case: 'failed', value: failure } });
    const { tasks } = await as(alice, () => gateway.getJob({ jobId, platform: ANY_PLATFORM, knownVersion: '' }));
    const stored = await suite.sql<Record<string, unknown>>(
      `SELECT task_id, requested_primaries, simulated_primaries, estimated_seconds, tasks.start_time, tasks.end_time, last_update_time
       FROM tasks JOIN jobs ON jobs.id = job_key WHERE job_id = $1 ORDER BY task_id`,
      [jobId],
    );
    const toDate = (ms = Number.NaN) => (Number.isNaN(ms) ? null : new Date(ms));
    const columns = stored.map((_, i) => ({
      task_id: tasks?.taskIds[i],
      requested_primaries: tasks?.requestedPrimaries[i]?.toString(),
      simulated_primaries: tasks?.simulatedPrimaries[i]?.toString(),
      estimated_seconds: tasks?.estimatedSeconds[i] === -1 ? null : tasks?.estimatedSeconds[i],
      start_time: toDate(tasks?.startTimesMs[i]),
      end_time: toDate(tasks?.endTimesMs[i]),
      last_update_time: toDate(tasks?.lastUpdateTimesMs[i]),
    }));
    expect(columns).toEqual(stored);
    expect(tasks?.attemptCounts).toEqual([1, 1, 1]);
    expect(tasks?.simulatedPrimaries[order.taskId - 1]).toBe(7n);
    expect(tasks?.failures).toEqual({ [failed.order.taskId]: expect.stringContaining('DECK_INVALID') });
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
    await expect(findJob(runner, alice, 'x')).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
