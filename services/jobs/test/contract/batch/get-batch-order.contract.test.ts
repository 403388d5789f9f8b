import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { deriveUpdateKey, TEST_UPDATE_KEY_MASTER } from '../../../testing/start.js';
import { alice, type BatchSuite, openBatchSuite } from '../../batch-suite.js';
import { as, submission } from '../../suite.js';

let batch: BatchSuite;
const orderOf = (jobId: string) => batch.asBridge.getBatchOrder({ jobId });
beforeAll(async () => {
  batch = await openBatchSuite();
});
afterAll(() => batch.stop());

describe('GetBatchOrder OK', () => {
  it('says what each task simulates, and gives the key of this job', async () => {
    const { jobId } = await batch.submit({ taskCount: 3, seed: 2n ** 64n - 1n }, 10);
    const { STATE_PENDING } = jobs.State;
    expect(await orderOf(jobId)).toEqual({
      simulator: jobs.Simulator.SIMULATOR_SIM_A,
      inputType: jobs.InputType.INPUT_TYPE_EDITOR,
      seed: 2n ** 64n - 1n,
      isOpen: true,
      updateKey: deriveUpdateKey(TEST_UPDATE_KEY_MASTER, jobId),
      tasks: [
        { taskId: 1, primaries: 4n, firstHistory: 0n, state: STATE_PENDING },
        { taskId: 2, primaries: 3n, firstHistory: 4n, state: STATE_PENDING },
        { taskId: 3, primaries: 3n, firstHistory: 7n, state: STATE_PENDING },
      ],
    });
  });

  it('gives a key that workers may use', async () => {
    const { jobId } = await batch.submit();
    const { updateKey } = await orderOf(jobId);
    const credential = { jobRef: jobId, updateKey };
    const target = await batch.gateway.getWorkerTarget({ credential, taskId: 1, celeryId: '', contentHash: '' });
    expect(target.isWanted).toBe(true);
  });

  it('gives the shared key where the deployment has no other', async () => {
    const shared = 'one key for all jobs of this deployment';
    const { jobId } = await batch.submit();
    const copy = await batch.suite.start({ updateKeyMaster: '', updateKeyShared: shared });
    expect((await batch.suite.client('batch-bridge', copy).getBatchOrder({ jobId })).updateKey).toBe(shared);
    await copy.stop();
  });

  it('says that the job has ended', async () => {
    const { jobId } = await batch.submit();
    await as(alice, () => batch.gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_BATCH }));
    expect(await orderOf(jobId)).toMatchObject({ isOpen: false, tasks: [{ state: jobs.State.STATE_CANCELED }] });
  });
});

describe('GetBatchOrder NOT_FOUND', () => {
  it('knows no direct job, and none that was deleted or never was', async () => {
    const direct = await as(alice, () => batch.gateway.submitJob(submission()));
    const { jobId: deleted } = await batch.submit();
    await as(alice, () => batch.gateway.cancelJob({ jobId: deleted, platform: jobs.Platform.PLATFORM_BATCH }));
    await as(alice, () => batch.gateway.deleteJob({ jobId: deleted }));
    for (const jobId of [direct.jobId, deleted, 'none', '', 'a\0b']) {
      await expect(orderOf(jobId)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
    }
  });
});

describe('GetBatchOrder PERMISSION_DENIED', () => {
  it('is for batch-bridge only: it gives a key away', async () => {
    const { jobId } = await batch.submit();
    for (const client of [batch.gateway, batch.runner]) {
      await expect(client.getBatchOrder({ jobId })).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    }
  });
});
