import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { credentialOf, jobUpdate, taskUpdate } from '../../external-worker.js';
import { findJob } from '../../shown-job.js';
import { as, mergeNext, openSuite, type Suite, submission } from '../../suite.js';

const { STATE_COMPLETED, STATE_FAILED, STATE_CANCELED, STATE_MERGING_QUEUED, STATE_RUNNING } = jobs.State;
const [HASH, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const alice = 1n;
const submit = async () => (await as(alice, () => gateway.submitJob(submission({ taskCount: 2 })))).jobId;
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);
const complete = (jobId: string, taskId: number) =>
  gateway.updateTask(taskUpdate(jobId, { taskId, state: STATE_COMPLETED }));
const report = async (jobId: string, fields: Partial<jobs.ReportWorkerOutputRequest> = {}) =>
  (await gateway.reportWorkerOutput({ credential: credentialOf(jobId), taskId: 0, contentHash: HASH, ...fields }))
    .isApplied;
const reportTask = (jobId: string, taskId: number) => report(jobId, { taskId, contentHash: '' });

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ sweepIntervalMs: 50, leaseMs: 200 });
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

describe('ReportWorkerOutput OK, final results', () => {
  it('completes the job with its tasks, and says so again to who repeats it', async () => {
    const jobId = await submit();
    await gateway.updateTask(taskUpdate(jobId, { state: STATE_RUNNING }));
    expect(await report(jobId)).toBe(true);
    const job = await jobOf(jobId);
    expect(job).toMatchObject({ state: STATE_COMPLETED });
    expect(job?.tasks.map(({ state, simulatedPrimaries }) => [state, simulatedPrimaries])).toEqual([
      [STATE_COMPLETED, 500n],
      [STATE_COMPLETED, 500n],
    ]);
    expect(await report(jobId)).toBe(true);
    expect(await report(jobId, { contentHash: OTHER })).toBe(false);
    const repeat = { credential: credentialOf(jobId), taskId: 0, celeryId: '', contentHash: HASH };
    expect(await gateway.getWorkerTarget(repeat)).toMatchObject({ isWanted: false, isRepeat: true });
    expect(await jobOf(jobId)).toEqual(job);
  });

  it('fails a job of which a task failed: the results are partial', async () => {
    const jobId = await submit();
    await gateway.updateTask(taskUpdate(jobId, { state: STATE_FAILED, failure: 'exit code 3' }));
    expect(await report(jobId)).toBe(true);
    const failure = '1 of 2 tasks failed; task 1: exit code 3';
    expect(await jobOf(jobId)).toMatchObject({ state: STATE_FAILED, failure });
  });

  it('comes too late for a job that was cancelled', async () => {
    const jobId = await submit();
    await gateway.updateJob(jobUpdate(jobId, { state: STATE_CANCELED }));
    expect(await report(jobId)).toBe(false);
    expect((await jobOf(jobId))?.state).toBe(STATE_CANCELED);
  });
});

describe('ReportWorkerOutput OK, output of a task', () => {
  it('is merged once all tasks are done and have delivered', async () => {
    const jobId = await submit();
    for (const taskId of [1, 2]) {
      expect(await reportTask(jobId, taskId)).toBe(true);
      await complete(jobId, taskId);
    }
    expect(await mergeNext(suite, { jobId })).toMatchObject({ taskIds: [1, 2], isPartial: false });
  });

  it('leaves the merge to the worker that keeps its output to itself, until the output comes', async () => {
    const jobId = await submit();
    for (const taskId of [1, 2]) await complete(jobId, taskId);
    expect((await jobOf(jobId))?.state).toBe(STATE_MERGING_QUEUED);
    const due = () => suite.sql(`SELECT 1 FROM duties WHERE job_id = $1 AND next_try_at <= now()`, [jobId]);
    expect(await due()).toEqual([]);
    await reportTask(jobId, 1);
    expect(await due()).toEqual([]);
    await reportTask(jobId, 2);
    expect(await mergeNext(suite, { jobId })).toMatchObject({ taskIds: [1, 2] });
  });

  it('comes too late for a job that has ended', async () => {
    const jobId = await submit();
    await gateway.updateJob(jobUpdate(jobId, { state: STATE_FAILED }));
    expect(await reportTask(jobId, 1)).toBe(false);
  });
});

describe('ReportWorkerOutput errors', () => {
  it('NOT_FOUND: the job has no such task', async () => {
    await expect(reportTask(await submit(), 3)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  it('INVALID_ARGUMENT: final results without their hash', async () => {
    await expect(report(await submit(), { contentHash: 'x' })).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });

  it('UNAUTHENTICATED: a wrong key', async () => {
    const credential = { jobRef: await submit(), updateKey: 'wrong' };
    await expect(report('', { credential })).rejects.toMatchObject({ reason: 'UPDATE_KEY_INVALID' });
  });
});
