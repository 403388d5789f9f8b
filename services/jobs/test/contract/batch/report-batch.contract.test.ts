import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { deriveUpdateKey, TEST_UPDATE_KEY_MASTER } from '../../../testing/start.js';
import { alice, type BatchSuite, openBatchSuite, taskReport } from '../../batch-suite.js';
import { credentialOf, taskUpdate } from '../../external-worker.js';
import { as, mergeNext, submission, waitForState } from '../../suite.js';

let batch: BatchSuite;
const { STATE_PENDING, STATE_RUNNING, STATE_COMPLETED, STATE_FAILED, STATE_CANCELED } = jobs.State;
const MERGING = [jobs.State.STATE_MERGING_QUEUED, jobs.State.STATE_MERGING_RUNNING];
const submit = async (taskCount = 1) => (await batch.submit({ taskCount })).jobId;
const statesOf = async (jobId: string) => (await batch.job(jobId)).tasks.map(({ state }) => state);
const deliver = (jobId: string, taskId: number) =>
  batch.gateway.reportWorkerOutput({ credential: credentialOf(jobId), taskId, contentHash: '' });
const usedSeconds = async () =>
  (
    await batch.suite.sql<{ s: number }>(
      `SELECT coalesce(sum(cpu_ms), 0)::float8 / 1000 AS s FROM usage_entries WHERE owner_id = $1 AND cluster <> ''`,
      [String(alice)],
    )
  )[0]?.s ?? -1;
const complete = (jobId: string, taskId: number) =>
  batch.gateway.updateTask(taskUpdate(jobId, { taskId, state: STATE_COMPLETED }));

beforeAll(async () => {
  batch = await openBatchSuite();
});
afterAll(() => batch.stop());

describe('ReportBatch OK', () => {
  it('keeps where the job is on its cluster; what is not said stays', async () => {
    const jobId = await submit();
    const placeOf = async () =>
      (await batch.suite.sql('SELECT job_dir, array_id, collect_id FROM jobs WHERE job_id = $1', [jobId]))[0];
    expect(await batch.report(jobId, { jobDir: '/scratch/j', arrayId: 17n })).toEqual({ isOpen: true });
    await batch.report(jobId, { collectId: 18n });
    await batch.report(jobId);
    expect(await placeOf()).toEqual({ job_dir: '/scratch/j', array_id: '17', collect_id: '18' });
    expect((await batch.job(jobId)).state).toBe(STATE_PENDING);
  });

  it('answers with the tasks that have ended and a key that workers may use, where that is wanted', async () => {
    const jobId = await submit(3);
    await batch.report(jobId, { tasks: [taskReport(1, STATE_RUNNING), taskReport(3, STATE_FAILED, 'OOM')] });
    const { isOpen, state } = await batch.report(jobId, { wantsState: true });
    expect([isOpen, state?.endedTasks]).toEqual([true, [3]]);
    expect(state?.updateKey).toBe(deriveUpdateKey(TEST_UPDATE_KEY_MASTER, jobId));
    await as(alice, () => batch.gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_BATCH }));
    const after = await batch.report(jobId, { wantsState: true });
    expect([after.isOpen, after.state?.endedTasks]).toEqual([false, [1, 2, 3]]);
  });

  it('answers with the shared key where the deployment has no other', async () => {
    const shared = 'one key for all jobs of this deployment';
    const jobId = await submit(1);
    const copy = await batch.suite.start({ updateKeyMaster: '', updateKeyShared: shared });
    const request = { jobId, tasks: [], wantsState: true };
    expect((await batch.suite.client('batch-bridge', copy).reportBatch(request)).state?.updateKey).toBe(shared);
    await copy.stop();
  });

  it('starts the job with its first task that runs, and moves tasks forward only', async () => {
    const jobId = await submit(4);
    const said = [
      taskReport(1, STATE_RUNNING),
      taskReport(2, STATE_RUNNING),
      taskReport(3, STATE_FAILED, 'OUT_OF_MEMORY'),
      taskReport(4, STATE_CANCELED),
      taskReport(5, STATE_RUNNING),
    ];
    await batch.report(jobId, { tasks: said });
    const expected = [STATE_RUNNING, STATE_RUNNING, STATE_FAILED, STATE_CANCELED];
    expect(await statesOf(jobId)).toEqual(expected);
    const job = await batch.job(jobId);
    expect([job.state, job.tasks[0]?.startTime]).toEqual([STATE_RUNNING, expect.any(Date)]);
    expect(job.tasks[2]).toMatchObject({ failure: 'OUT_OF_MEMORY', endTime: expect.any(Date) });
    await deliver(jobId, 1);
    await complete(jobId, 1);
    const late = [1, 3, 4].map((taskId) => taskReport(taskId, STATE_RUNNING));
    await batch.report(jobId, {
      tasks: [...late, taskReport(1, STATE_FAILED, 'late'), taskReport(3, STATE_FAILED, 'other')],
    });
    expect(await statesOf(jobId)).toEqual([STATE_COMPLETED, ...expected.slice(1)]);
    expect((await batch.job(jobId)).tasks.map(({ failure }) => failure)).toEqual(['', '', 'OUT_OF_MEMORY', '']);
  });

  it('counts the wall time of each task once, on its cluster, whatever is repeated', async () => {
    const jobId = await submit(3);
    const running = [1, 2, 3].map((taskId) => taskReport(taskId, STATE_RUNNING));
    await batch.report(jobId, { tasks: running });
    await batch.suite.sql(
      `UPDATE tasks SET start_time = now() - interval '90 s' FROM jobs WHERE jobs.id = job_key AND job_id = $1`,
      [jobId],
    );
    const before = await usedSeconds();
    for (let i = 0; i < 2; i++) {
      await batch.report(jobId, { tasks: [taskReport(1, STATE_FAILED, 'OUT_OF_MEMORY')] });
      await deliver(jobId, 2);
      await complete(jobId, 2);
      await as(alice, () => batch.gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_BATCH }));
    }
    const used = (await usedSeconds()) - before;
    expect(used).toBeGreaterThanOrEqual(3 * 90);
    expect(used).toBeLessThan(3 * 90 + 60);
  });

  it('shows why the job waits until it does not any more', async () => {
    const jobId = await submit();
    const reasonOf = async () => (await batch.job(jobId)).waitingReason;
    await batch.report(jobId, { waitingReason: 'The certificate has expired' });
    await batch.report(jobId);
    expect(await reasonOf()).toBe('The certificate has expired');
    await batch.report(jobId, { waitingReason: '' });
    expect(await reasonOf()).toBe('');
    await batch.report(jobId, { waitingReason: `${'x'.repeat(3_000)}\0` });
    expect(await reasonOf()).toBe('x'.repeat(2_000));
    await as(alice, () => batch.gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_BATCH }));
    expect(await reasonOf()).toBe('');
  });

  it('changes nothing when it is repeated: no task is told of again', async () => {
    const jobId = await submit(2);
    const events = () => batch.suite.sql('SELECT kind, state FROM job_events WHERE job_id = $1 ORDER BY id', [jobId]);
    const report = { waitingReason: 'queue', tasks: [1, 2].map((taskId) => taskReport(taskId, STATE_RUNNING)) };
    await batch.report(jobId, report);
    const told = await events();
    for (let i = 0; i < 3; i++) await batch.report(jobId, report);
    expect(await events()).toEqual(told);
    expect(told.filter(({ kind }) => kind === 'job')).toEqual([
      { kind: 'job', state: 'PENDING' },
      { kind: 'job', state: 'RUNNING' }, // what the report says besides is told with it
    ]);
  });

  it('takes a thousand tasks at once', async () => {
    const jobId = await submit(1_000);
    const tasks = Array.from({ length: 1_000 }, (_, i) =>
      taskReport(i + 1, i % 2 === 0 ? STATE_RUNNING : STATE_FAILED),
    );
    await batch.report(jobId, { tasks });
    expect(await statesOf(jobId)).toEqual(tasks.map(({ state }) => state));
  });
});

describe('ReportBatch OK with the end', () => {
  it('fails what is open and merges what was delivered; the job is FAILED in part', async () => {
    const jobId = await submit(3);
    await deliver(jobId, 1);
    await complete(jobId, 1);
    expect(await batch.report(jobId, { end: { lastTask: 0, failure: 'TIMEOUT: 1:00:00' } })).toEqual({ isOpen: true });
    const job = await batch.job(jobId);
    expect(MERGING).toContain(job.state);
    expect(job.tasks.map(({ state, failure }) => [state, failure])).toEqual([
      [STATE_COMPLETED, ''],
      [STATE_FAILED, 'TIMEOUT: 1:00:00'],
      [STATE_FAILED, 'TIMEOUT: 1:00:00'],
    ]);
    expect(await mergeNext(batch.suite, { jobId })).toMatchObject({ taskIds: [1], isPartial: true });
    const ended = await waitForState(batch.gateway, alice, jobId, STATE_FAILED);
    expect(ended.failure).toBe('2 of 3 tasks failed; task 2: TIMEOUT: 1:00:00');
  });

  it('fails a job of which nothing was delivered, in the words of the end', async () => {
    const jobId = await submit(2);
    await batch.report(jobId, { waitingReason: 'queued' });
    expect(await batch.report(jobId, { end: { lastTask: 0, failure: 'The folder is gone' } })).toEqual({
      isOpen: false,
    });
    const job = await batch.job(jobId);
    expect(job).toMatchObject({ state: STATE_FAILED, failure: 'The folder is gone', waitingReason: '' });
    expect(job.endTime).toBeDefined();
  });

  it('does not wait for the output of a completed task any more, and does not count it', async () => {
    const jobId = await submit(2);
    for (const taskId of [1, 2]) await complete(jobId, taskId);
    await deliver(jobId, 2);
    expect((await batch.job(jobId)).state).toBe(STATE_PENDING);
    await batch.report(jobId, { end: { lastTask: 0, failure: 'nothing more comes' } });
    await waitForState(batch.gateway, alice, jobId, jobs.State.STATE_MERGING_RUNNING);
    // what comes now is not in the merge, and must not make it look whole
    expect(await deliver(jobId, 1)).toEqual({ isApplied: false });
    expect(await deliver(jobId, 2)).toEqual({ isApplied: true });
    expect(await mergeNext(batch.suite, { jobId })).toMatchObject({ taskIds: [2], isPartial: true });
    const job = await batch.job(jobId);
    expect(job.state).toBe(STATE_FAILED);
    expect(job.failure).toBe(
      '1 of 2 tasks failed; task 1: OUTPUT_MISSING: it was completed, but its output never came',
    );
  });

  it('opens one merge however often it comes, and leaves a job alone that has ended', async () => {
    const jobId = await submit(2);
    await deliver(jobId, 1);
    await complete(jobId, 1);
    for (let i = 0; i < 3; i++) await batch.report(jobId, { end: { lastTask: 0, failure: `end ${i}` } });
    expect(await mergeNext(batch.suite, { jobId })).toMatchObject({ taskIds: [1], mergeNumber: 1 });
    const before = await batch.job(jobId);
    const late = { jobDir: '/late', waitingReason: 'late', tasks: [taskReport(2, STATE_RUNNING)] };
    expect(await batch.report(jobId, { ...late, end: { lastTask: 0, failure: 'late' } })).toEqual({ isOpen: false });
    expect(await batch.job(jobId)).toEqual(before);
  });

  it('comes by itself when the scheduler ended every task and none delivered', async () => {
    const jobId = await submit(2);
    await batch.report(jobId, { tasks: [taskReport(1, STATE_FAILED, 'NODE_FAIL')] });
    const last = [taskReport(2, STATE_CANCELED)];
    expect(await batch.report(jobId, { tasks: last })).toEqual({ isOpen: false });
    expect(await batch.job(jobId)).toMatchObject({
      state: STATE_FAILED,
      failure: '2 of 2 tasks failed; task 1: NODE_FAIL',
    });
  });
});

describe('ReportBatch INVALID_ARGUMENT', () => {
  it('refuses states that a scheduler cannot know, and a folder of two lines', async () => {
    const jobId = await submit();
    for (const state of [STATE_COMPLETED, STATE_PENDING, jobs.State.STATE_UNSPECIFIED]) {
      await expect(batch.report(jobId, { tasks: [taskReport(1, state)] })).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        reason: 'REQUEST_INVALID',
      });
    }
    await expect(batch.report(jobId, { jobDir: 'a\nb' })).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });
});

describe('ReportBatch NOT_FOUND', () => {
  it('knows no direct job and none that never was', async () => {
    const direct = await as(alice, () => batch.gateway.submitJob(submission()));
    for (const jobId of [direct.jobId, 'none', 'a\0b']) {
      await expect(batch.report(jobId, { end: { lastTask: 0, failure: 'x' } })).rejects.toMatchObject({
        status: 'NOT_FOUND',
        reason: 'JOB_NOT_FOUND',
      });
    }
    await as(alice, () => batch.gateway.cancelJob({ jobId: direct.jobId, platform: jobs.Platform.PLATFORM_DIRECT }));
  });
});

describe('ReportBatch PERMISSION_DENIED', () => {
  it('is for batch-bridge only', async () => {
    const jobId = await submit();
    for (const client of [batch.gateway, batch.runner]) {
      const call = client.reportBatch({ jobId, tasks: [], wantsState: true });
      await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    }
  });
});
