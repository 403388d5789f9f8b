import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { credentialOf } from '../external-worker.js';
import { findJob } from '../shown-job.js';
import { ANY_PLATFORM, as, completeNextTask, mergeNext, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const [alice, bob, carol] = [1n, 2n, 3n];
const { STATE_CANCELED, STATE_COMPLETED, STATE_PENDING } = jobs.State;

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ jobTasksMax: 6, openTasksPerUserMax: 4 });
  [gateway, runner] = [suite.client('gateway'), suite.client('direct-runner')];
});
afterAll(() => suite.stop());

const extend = (jobId: string, primaries: number, taskCount?: number, userId = alice, platform = ANY_PLATFORM) =>
  as(userId, () => gateway.extendJob({ jobId, platform, primaries: BigInt(primaries), taskCount, idempotencyKey: '' }));
const jobOf = async (jobId: string, userId = alice) => {
  const job = await findJob(gateway, userId, jobId);
  if (job === undefined) throw new Error('no job');
  return job;
};
/** A job of 1000 primaries that has ended. */
async function completed(taskCount: number, userId = alice): Promise<string> {
  const { jobId } = await as(userId, () => gateway.submitJob(submission({ taskCount })));
  for (let i = 0; i < taskCount; i++) await completeNextTask(suite.queue, runner);
  await mergeNext(suite);
  return jobId;
}
const refused = (reason: string, message: string) => ({ reason, message: expect.stringContaining(message) });

describe('ExtendJob OK', () => {
  it('gives it tasks on further histories, twice, and merges all of them', async () => {
    const jobId = await completed(2);
    expect(await extend(jobId, 501)).toEqual({ taskCount: 4, primaries: 1501n });
    const pending = await jobOf(jobId);
    expect(pending).toMatchObject({ state: STATE_PENDING, taskCount: 4, simulatedPrimaries: 1000n });
    expect(pending.endTime).toBeUndefined();
    const orders = [await completeNextTask(suite.queue, runner), await completeNextTask(suite.queue, runner)];
    const histories = orders.map(({ order }) => [order.taskId, Number(order.firstHistory), Number(order.primaries)]);
    expect(histories).toHaveLength(2);
    expect(histories).toEqual(
      expect.arrayContaining([
        [3, 1000, 251],
        [4, 1251, 250],
      ]),
    );
    expect(new Set(orders.map(({ order }) => order.seed))).toEqual(new Set([pending.seed]));
    expect(await mergeNext(suite)).toMatchObject({
      taskIds: [1, 2, 3, 4],
      isPartial: false,
      isStopped: false,
      mergeNumber: 2,
    });
    const extended = await jobOf(jobId);
    expect(extended).toMatchObject({ state: STATE_COMPLETED, simulatedPrimaries: 1501n });
    expect(JSON.parse(extended.descriptionJson ?? '')).toMatchObject({ requested_primaries: 1501 });
    expect(await extend(jobId, 10, 1)).toEqual({ taskCount: 5, primaries: 1511n });
    expect((await completeNextTask(suite.queue, runner)).order).toMatchObject({ taskId: 5, firstHistory: 1501n });
    expect(await mergeNext(suite)).toMatchObject({ taskIds: { length: 5 }, mergeNumber: 3 });
    expect(await jobOf(jobId)).toMatchObject({ state: STATE_COMPLETED, simulatedPrimaries: 1511n });
    const extensions = [
      { primaries: 501n, taskCount: 2 },
      { primaries: 10n, taskCount: 1 },
    ];
    expect((await jobOf(jobId)).extensions).toEqual({ submittedTaskCount: 2, extensions });
    const told = await suite.sql<{ state: string; task_count: number }>(
      "SELECT state, task_count FROM job_events WHERE job_id = $1 AND kind = 'job' ORDER BY id",
      [jobId],
    );
    expect(told.map(({ state, task_count: count }) => `${state} ${count}`).slice(4, 10)).toEqual([
      'COMPLETED 2',
      'PENDING 4',
      'RUNNING 4',
      'MERGING_QUEUED 4',
      'MERGING_RUNNING 4',
      'COMPLETED 4',
    ]);
  });

  it('leaves the earlier results when it is cancelled meanwhile', async () => {
    const jobId = await completed(1);
    await extend(jobId, 100);
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    expect(await jobOf(jobId)).toMatchObject({ state: STATE_CANCELED, simulatedPrimaries: 1000n });
    await expect(extend(jobId, 100)).rejects.toMatchObject(refused('JOB_NOT_EXTENDABLE', 'it is CANCELED'));
  });

  it('can be stopped: then it has what it had, and what was added', async () => {
    const jobId = await completed(1);
    await extend(jobId, 100);
    await as(alice, () => gateway.stopJob({ jobId, platform: ANY_PLATFORM }));
    expect(await mergeNext(suite)).toMatchObject({ taskIds: [1], isPartial: false, isStopped: true });
    const stopped = { state: STATE_COMPLETED, isStopped: true, simulatedPrimaries: 1000n };
    expect(await jobOf(jobId)).toMatchObject(stopped);
    await extend(jobId, 7);
    expect((await completeNextTask(suite.queue, runner)).order).toMatchObject({ taskId: 3, firstHistory: 1100n });
    expect(await mergeNext(suite)).toMatchObject({ taskIds: [1, 3], isPartial: false, isStopped: true });
    const extended = { state: STATE_COMPLETED, isStopped: false, simulatedPrimaries: 1007n };
    expect(await jobOf(jobId)).toMatchObject(extended);
  });
});

describe('ExtendJob INVALID_ARGUMENT, RESOURCE_EXHAUSTED and FAILED_PRECONDITION', () => {
  it('names the limit of primaries and of tasks', async () => {
    const jobId = await completed(1);
    for (const primaries of [0, -1, 10_000_000_000])
      await expect(extend(jobId, primaries)).rejects.toMatchObject(refused('REQUEST_INVALID', 'from 1 to 9999999000'));
    for (const taskCount of [0, 6])
      await expect(extend(jobId, 10, taskCount)).rejects.toMatchObject(refused('REQUEST_INVALID', 'from 1 to 5'));
    await expect(extend(jobId, 2, 3)).rejects.toMatchObject(refused('REQUEST_INVALID', 'from 1 to 2'));
    expect(await jobOf(jobId)).toMatchObject({ state: STATE_COMPLETED, taskCount: 1 });
  });

  it('wants as many tasks as the simulator needs to count them', async () => {
    const jobId = await completed(1);
    await suite.sql('UPDATE jobs SET task_primaries_max = 100 WHERE job_id = $1', [jobId]);
    const fault = refused('REQUEST_INVALID', 'at least 3: the simulator counts to 100 in a task; use more tasks');
    await expect(extend(jobId, 201)).rejects.toMatchObject(fault);
    await expect(extend(jobId, 201, 2)).rejects.toMatchObject(fault);
    expect(await jobOf(jobId)).toMatchObject({ state: STATE_COMPLETED, taskCount: 1 });
    expect(await extend(jobId, 201, 3)).toMatchObject({ taskCount: 4 });
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
  });

  it('keeps what the deck of the submission allows', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission()));
    const kept = await suite.sql('SELECT task_primaries_max FROM jobs WHERE job_id = $1', [jobId]);
    expect(kept).toEqual([{ task_primaries_max: `${Number.MAX_SAFE_INTEGER}` }]); // of the built-in engine
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
  });

  it('keeps to the quotas of its owner', async () => {
    const jobId = await completed(1, carol);
    await expect(extend(jobId, 10, 5, carol)).rejects.toMatchObject(refused('QUOTA_EXCEEDED', '4 tasks'));
    await extend(jobId, 10, 4, carol);
    await expect(extend(jobId, 10, 1, carol)).rejects.toMatchObject(refused('JOB_NOT_EXTENDABLE', 'it is PENDING'));
    await as(carol, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
  });

  it('refuses a job whose results an external worker merged', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission()));
    await gateway.reportWorkerOutput({ credential: credentialOf(jobId), taskId: 0, contentHash: 'a'.repeat(64) });
    expect((await jobOf(jobId)).state).toBe(STATE_COMPLETED);
    await expect(extend(jobId, 10)).rejects.toMatchObject(refused('JOB_NOT_EXTENDABLE', 'external worker'));
  });
});

describe('ExtendJob NOT_FOUND and PERMISSION_DENIED', () => {
  it('knows no such job, nor a batch platform where there is none, nor gives away another user’s', async () => {
    const jobId = await completed(1);
    const batch = jobs.Platform.PLATFORM_BATCH;
    await expect(extend('nowhere', 1)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    await expect(extend(jobId, 1, 1, alice, batch)).rejects.toMatchObject({ reason: 'PLATFORM_UNIMPLEMENTED' });
    await expect(extend(jobId, 1, 1, bob)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
  });
});
