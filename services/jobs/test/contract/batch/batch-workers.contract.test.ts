import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { alice, type BatchSuite, openBatchSuite, taskReport } from '../../batch-suite.js';
import { credentialOf, jobUpdate, taskUpdate } from '../../external-worker.js';
import { as, mergeNext, waitForState } from '../../suite.js';

/** What the helpers of a batch job say over HTTP: no attempts and no leases. */
let batch: BatchSuite;
const { STATE_RUNNING, STATE_MERGING_RUNNING } = jobs.State;
const { STATE_COMPLETED, STATE_FAILED, STATE_CANCELED } = jobs.State;
const submit = async (taskCount = 1) => (await batch.submit({ taskCount })).jobId;
const stateOf = async (jobId: string) => (await batch.job(jobId)).state;
const update = (jobId: string, fields: Partial<jobs.UpdateTaskRequest>) =>
  batch.gateway.updateTask(taskUpdate(jobId, fields));
const deliver = (jobId: string, taskId = 1) =>
  batch.gateway.reportWorkerOutput({ credential: credentialOf(jobId), taskId, contentHash: '' });
const targetOf = (jobId: string, taskId = 1) =>
  batch.gateway.getWorkerTarget({ credential: credentialOf(jobId), taskId, celeryId: '', contentHash: '' });
const cancel = (jobId: string) =>
  as(alice, () => batch.gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_BATCH }));
const workOf = (jobId: string) =>
  batch.suite.sql(
    `SELECT 'attempt' AS what FROM attempts JOIN tasks t ON t.id = task_key JOIN jobs s ON s.id = job_key
       WHERE job_id = $1
     UNION ALL SELECT 'lease' FROM duties WHERE job_id = $1 AND (payload->>'isExternal')::bool`,
    [jobId],
  );

beforeAll(async () => {
  batch = await openBatchSuite({ workerLeaseMs: 100, leaseMs: 100 }); // a lease that it must not have would run out
});
afterAll(() => batch.stop());

describe('tasks of a batch job', () => {
  it('are merged as soon as the last one has ended and all have delivered', async () => {
    const jobId = await submit(2);
    await update(jobId, { state: STATE_RUNNING, celeryId: 'slurm-17_1' });
    expect(await stateOf(jobId)).toBe(STATE_RUNNING);
    for (const taskId of [1, 2]) {
      await deliver(jobId, taskId);
      await update(jobId, { taskId, state: STATE_COMPLETED, celeryId: `slurm-17_${taskId}` });
    }
    expect(await workOf(jobId)).toEqual([]);
    expect(await mergeNext(batch.suite, { jobId })).toMatchObject({ taskIds: [1, 2], isPartial: false });
    expect(await stateOf(jobId)).toBe(STATE_COMPLETED);
  });

  it('that are completed before their output has come wait for it, not for a lease', async () => {
    const jobId = await submit(2);
    await update(jobId, { taskId: 2, state: STATE_FAILED, failure: 'exit code 3' });
    await update(jobId, { state: STATE_COMPLETED });
    expect(await workOf(jobId)).toEqual([]);
    expect(await stateOf(jobId)).toBe(jobs.State.STATE_PENDING);
    expect(await deliver(jobId)).toEqual({ isApplied: true });
    expect(await mergeNext(batch.suite, { jobId })).toMatchObject({ taskIds: [1], isPartial: true });
    await cancel(jobId);
  });

  it('that failed say why; the first word stays', async () => {
    const jobId = await submit(3);
    await update(jobId, { state: STATE_FAILED, failure: 'SIMULATOR_FAILED: exit code 3\nlast line' });
    await update(jobId, { state: STATE_FAILED, failure: 'something else' });
    await batch.report(jobId, { tasks: [taskReport(1, STATE_FAILED, 'FAILED 3:0')] });
    await update(jobId, { taskId: 2, state: STATE_FAILED });
    await update(jobId, { taskId: 3, state: STATE_RUNNING, failure: 'none yet' });
    expect((await batch.job(jobId)).tasks.map(({ failure }) => failure)).toEqual([
      'SIMULATOR_FAILED: exit code 3\nlast line',
      'REPORTED: its worker said so',
      '',
    ]);
    await cancel(jobId);
  });

  it('may repeat the update that ended them, and are told to stop by any other', async () => {
    const jobId = await submit(2);
    const failed = { state: STATE_FAILED, failure: 'exit code 3' };
    for (let i = 0; i < 2; i++) expect(await update(jobId, failed)).toEqual({ isApplied: true, mustStop: false });
    expect(await update(jobId, { ...failed, failure: 'other' })).toEqual({ isApplied: false, mustStop: true });
    await cancel(jobId);
    expect(await update(jobId, { taskId: 2, state: STATE_RUNNING })).toEqual({ isApplied: false, mustStop: true });
  });
});

describe('a batch job that a helper calls merging', () => {
  it('goes on to its merge all the same when its tasks have ended', async () => {
    const jobId = await submit();
    await batch.gateway.updateJob(
      jobUpdate(jobId, { state: STATE_MERGING_RUNNING, jobDir: '/scratch/j', arrayId: 7n }),
    );
    expect([await stateOf(jobId), await workOf(jobId)]).toEqual([STATE_MERGING_RUNNING, []]);
    await deliver(jobId);
    await update(jobId, { state: STATE_COMPLETED });
    await waitForState(batch.gateway, alice, jobId, STATE_MERGING_RUNNING);
    // a late word does not take the merge away
    expect(await batch.gateway.updateJob(jobUpdate(jobId, { state: STATE_RUNNING }))).toEqual({ isApplied: true });
    expect(await stateOf(jobId)).toBe(STATE_MERGING_RUNNING);
    await mergeNext(batch.suite, { jobId });
    expect(await stateOf(jobId)).toBe(STATE_COMPLETED);
  });

  it('may be ended by its word, as on the direct platform', async () => {
    const jobId = await submit();
    await batch.gateway.updateJob(jobUpdate(jobId, { state: STATE_FAILED }));
    expect(await batch.report(jobId)).toEqual({ isOpen: false });
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_FAILED, failure: 'REPORTED: its worker said so' });
  });
});

describe('a cancelled batch job', () => {
  it('takes what finished tasks have left, and stays CANCELED', async () => {
    const jobId = await submit(3);
    await update(jobId, { taskId: 2, state: STATE_COMPLETED });
    await update(jobId, { taskId: 3, state: STATE_FAILED });
    await cancel(jobId);
    const before = await batch.job(jobId);
    expect(await targetOf(jobId, 1)).toMatchObject({ jobId, isWanted: true });
    expect(await targetOf(jobId, 2)).toMatchObject({ isWanted: true });
    expect(await targetOf(jobId, 3)).toMatchObject({ isWanted: false });
    for (const taskId of [1, 2, 1]) expect(await deliver(jobId, taskId)).toEqual({ isApplied: true });
    expect(await batch.job(jobId)).toEqual(before);
    expect(before.state).toBe(STATE_CANCELED);
    expect(await workOf(jobId)).toEqual([]);
  });

  it('does not take final results any more, and nothing at all when its key is over', async () => {
    const jobId = await submit();
    await cancel(jobId);
    expect(await targetOf(jobId, 0)).toMatchObject({ isWanted: false });
    await batch.suite.sql("UPDATE jobs SET closed_at = now() - interval '25 h' WHERE job_id = $1", [jobId]);
    await expect(targetOf(jobId)).rejects.toMatchObject({ reason: 'UPDATE_KEY_INVALID' });
    await expect(deliver(jobId)).rejects.toMatchObject({ reason: 'UPDATE_KEY_INVALID' });
  });
});
