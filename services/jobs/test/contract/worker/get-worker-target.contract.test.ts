import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { credentialOf, jobUpdate, taskUpdate } from '../../external-worker.js';
import { as, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const submit = async () => (await as(1n, () => gateway.submitJob(submission({ taskCount: 3 })))).jobId;
const target = (jobId: string, fields: Partial<jobs.GetWorkerTargetRequest> = {}) =>
  gateway.getWorkerTarget({ credential: credentialOf(jobId), taskId: 0, celeryId: '', contentHash: '', ...fields });

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

describe('GetWorkerTarget OK', () => {
  it('names the job and what results of it are about', async () => {
    const jobId = await submit();
    const whole = { jobId, isWanted: true, isRepeat: false, primaries: 1_000n, taskCount: 3, isPartial: false };
    expect(await target(jobId)).toEqual(whole);
    expect(await target(jobId, { taskId: 3 })).toEqual(whole);
    expect(await target(jobId, { primaries: 900n })).toEqual({ ...whole, primaries: 900n });
    await gateway.updateTask(taskUpdate(jobId, { state: jobs.State.STATE_FAILED, failure: 'exit code 3' }));
    expect(await target(jobId)).toEqual({ ...whole, primaries: 666n, taskCount: 2, isPartial: true });
    expect(await target(jobId, { taskId: 1 })).toMatchObject({ isWanted: false });
  });

  it('does not want output of a replaced attempt or of a job that has ended', async () => {
    const jobId = await submit();
    for (const celeryId of ['a', 'b']) await gateway.updateTask(taskUpdate(jobId, { celeryId }));
    expect(await target(jobId, { taskId: 1, celeryId: 'a' })).toMatchObject({ isWanted: false });
    expect(await target(jobId, { taskId: 1, celeryId: 'b' })).toMatchObject({ isWanted: true });
    await gateway.updateJob(jobUpdate(jobId, { state: jobs.State.STATE_CANCELED }));
    expect(await target(jobId, { taskId: 1, celeryId: 'b' })).toMatchObject({ jobId, isWanted: false });
    expect(await target(jobId)).toMatchObject({ jobId, isWanted: false });
  });
});

describe('GetWorkerTarget NOT_FOUND', () => {
  it('says that the job has no such task', async () => {
    await expect(target(await submit(), { taskId: 4 })).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });
});

describe('GetWorkerTarget UNAUTHENTICATED', () => {
  it('refuses a wrong key', async () => {
    const credential = { jobRef: await submit(), updateKey: 'wrong' };
    await expect(target('', { credential })).rejects.toMatchObject({ reason: 'UPDATE_KEY_INVALID' });
  });
});
