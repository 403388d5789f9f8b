import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { alice, type BatchSuite, openBatchSuite } from '../../batch-suite.js';
import { credentialOf } from '../../external-worker.js';
import { as, mergeNext } from '../../suite.js';

const { STATE_COMPLETED, STATE_FAILED, STATE_PENDING, STATE_RUNNING } = jobs.State;
const platform = jobs.Platform.PLATFORM_BATCH;
const target: jobs.Target = { estimatorName: 'depth_dose', relativeError: 0.02, maxPrimaries: 100_000n };

let batch: BatchSuite;
beforeAll(async () => {
  batch = await openBatchSuite();
});
afterAll(() => batch.stop());

const extend = (jobId: string, primaries: number, taskCount?: number, idempotencyKey = '') =>
  as(alice, () =>
    batch.gateway.extendJob({ jobId, platform, primaries: BigInt(primaries), taskCount, idempotencyKey }),
  );
/** Its output is stored, and it has ended. */
async function deliver(jobId: string, taskId: number): Promise<void> {
  const of = { credential: credentialOf(jobId), taskId };
  await batch.gateway.reportWorkerOutput({ ...of, contentHash: '' });
  const update = { state: STATE_COMPLETED, requestedPrimaries: 0n, simulatedPrimaries: 0n, celeryId: '', failure: '' };
  await batch.gateway.updateTask({ ...of, ...update });
}
const merge = (relativeError?: number) => mergeNext(batch.suite, { relativeError });
async function completed(taskCount = 2): Promise<string> {
  const { jobId } = await batch.submit({ taskCount, schedulerOptionsJson: Buffer.from('{"time":"5"}') });
  for (let taskId = 1; taskId <= taskCount; taskId++) await deliver(jobId, taskId);
  await merge();
  return jobId;
}
const submissionsOf = (jobId: string) => batch.bridge.submissions.filter((one) => one.jobId === jobId);
const submissionsReached = (jobId: string, count: number) =>
  waitFor(() => submissionsOf(jobId).length >= count, { what: `submission ${count} of ${jobId}` });
const cancelsOf = (jobId: string) => batch.bridge.told.filter((word) => word === `cancel ${jobId}`).length;

describe('ExtendJob of a batch job OK', () => {
  it('has batch-bridge submit its further tasks, with the options that it was submitted with', async () => {
    const jobId = await completed();
    await batch.suite.sql('DELETE FROM duties WHERE job_id = $1', [jobId]); // as the clean-up does
    expect(await extend(jobId, 501)).toEqual({ taskCount: 4, primaries: 1501n });
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_PENDING, taskCount: 4, simulatedPrimaries: 1000n });
    await submissionsReached(jobId, 2);
    const submission = submissionsOf(jobId).at(-1);
    expect(submission).toMatchObject({ userId: alice, clusterName: 'alpha' });
    expect(submission?.schedulerOptionsJson.toString()).toBe('{"time":"5"}');
    const shares = [500, 500, 251, 250].map((primaries, i) => ({
      primaries: BigInt(primaries),
      firstHistory: BigInt([0, 500, 1000, 1251][i] ?? 0),
    }));
    expect(submission?.spec).toMatchObject({ firstTask: 3, tasks: shares });
    for (const taskId of [3, 4]) await deliver(jobId, taskId);
    expect(await merge()).toMatchObject({ taskIds: [1, 2, 3, 4], mergeNumber: 2, isPartial: false });
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_COMPLETED, simulatedPrimaries: 1501n });
  });

  it('is not ended by an end on the cluster that was of the tasks before', async () => {
    const jobId = await completed();
    await extend(jobId, 100, 1);
    const isOpen = async (lastTask: number) =>
      (await batch.report(jobId, { end: { failure: 'Nothing more comes', lastTask } })).isOpen;
    expect(await isOpen(2)).toBe(true);
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_PENDING });
    expect(await isOpen(3)).toBe(true);
    expect(await merge()).toMatchObject({ taskIds: [1, 2], isPartial: true });
    const failure = expect.stringContaining('1 of 3 tasks failed; task 3: Nothing more comes');
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_FAILED, failure });
  });

  it('keeps what it has when its further tasks cannot be submitted', async () => {
    const jobId = await completed();
    const { onSubmit } = batch.bridge;
    batch.bridge.onSubmit = async () => ({ $case: 'failed', value: { reason: 'SCHEDULER_REFUSED', message: 'no' } });
    await extend(jobId, 100, 1);
    await submissionsReached(jobId, 2);
    expect(await merge()).toMatchObject({ taskIds: [1, 2], isPartial: true });
    batch.bridge.onSubmit = onSubmit;
    const failure = expect.stringContaining('SUBMISSION_FAILED: no');
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_FAILED, failure, simulatedPrimaries: 1000n });
  });

  it('waits for the end of a stop to be told, which is of the tasks before', async () => {
    const { jobId } = await batch.submit({ taskCount: 2 });
    await batch.report(jobId, { tasks: [{ taskId: 1, state: STATE_RUNNING, failure: '' }] });
    batch.bridge.setDown(true);
    await as(alice, () => batch.gateway.stopJob({ jobId, platform }));
    await deliver(jobId, 1);
    await merge();
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_COMPLETED, isStopped: true });
    batch.bridge.setDown(false);
    await extend(jobId, 100, 1);
    await submissionsReached(jobId, 2);
    expect(cancelsOf(jobId)).toBe(1);
    expect(batch.bridge.told.filter((word) => word.endsWith(jobId))).toEqual(
      ['submit', 'cancel', 'submit'].map((kind) => `${kind} ${jobId}`),
    );
    expect(batch.bridge.canceledUpTo.at(-1)).toBe(2);
    expect(submissionsOf(jobId).at(-1)?.spec?.firstTask).toBe(3);
  });
});

describe('ExtendJob with an idempotency key', () => {
  it('adds its primaries once, and answers a repeat as the first time, also after the end', async () => {
    const jobId = await completed();
    const answers = await Promise.all([1, 2, 3].map(() => extend(jobId, 10, 1, 'key')));
    for (const answer of answers) expect(answer).toEqual({ taskCount: 3, primaries: 1010n });
    await deliver(jobId, 3);
    await merge();
    expect(await extend(jobId, 10, 1, 'key')).toEqual({ taskCount: 3, primaries: 1010n });
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_COMPLETED, taskCount: 3 });
    expect(await extend(jobId, 10, 1, 'another')).toEqual({ taskCount: 4, primaries: 1020n });
  });

  it('refuses a key that was used for something else, whichever came first', async () => {
    const jobId = await completed();
    const reused = { reason: 'IDEMPOTENCY_KEY_REUSED' };
    await extend(jobId, 10, 1, 'mine');
    await expect(extend(jobId, 11, 1, 'mine')).rejects.toMatchObject(reused);
    await expect(batch.submit({ idempotencyKey: 'mine' })).rejects.toMatchObject(reused);
    await batch.submit({ idempotencyKey: 'theirs' });
    await expect(extend(jobId, 10, 1, 'theirs')).rejects.toMatchObject(reused);
    await expect(extend(jobId, 10, 1, 'x'.repeat(256))).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });

  it('remembers no refusal', async () => {
    const { jobId } = await batch.submit({ taskCount: 1 });
    await expect(extend(jobId, 10, 1, 'later')).rejects.toMatchObject({ reason: 'JOB_NOT_EXTENDABLE' });
    await deliver(jobId, 1);
    await merge();
    expect(await extend(jobId, 10, 1, 'later')).toEqual({ taskCount: 2, primaries: 1010n });
  });
});

describe('a batch job with a target', () => {
  it('is given further tasks on its cluster until its results are as good', async () => {
    const { jobId } = await batch.submit({ taskCount: 2, target });
    for (const taskId of [1, 2]) await deliver(jobId, taskId);
    expect((await merge(0.05)).errorPages).toEqual({ estimatorName: 'depth_dose' });
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_PENDING, taskCount: 4 });
    await submissionsReached(jobId, 2);
    expect(submissionsOf(jobId).at(-1)?.spec).toMatchObject({ firstTask: 3, tasks: { length: 4 } });
    for (const taskId of [3, 4]) await deliver(jobId, taskId);
    await merge(0.0199);
    const points = [{ primaries: 1_000n, relativeError: 0.05 }, { relativeError: 0.0199 }];
    const convergence = { isReached: true, points };
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_COMPLETED, convergence });
  });
});

describe('ExtendJob of a batch job NOT_FOUND', () => {
  it('does not find a direct job', async () => {
    const { jobId } = await batch.submit({ platform: jobs.Platform.PLATFORM_DIRECT });
    await expect(extend(jobId, 1, 1)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});
