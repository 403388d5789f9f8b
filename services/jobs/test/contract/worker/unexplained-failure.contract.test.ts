import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { alice, type BatchSuite, openBatchSuite } from '../../batch-suite.js';
import { credentialOf, jobUpdate, taskUpdate } from '../../external-worker.js';
import type { ShownJob } from '../../shown-job.js';
import { as, type Copy, mergeNext, submission, waitForState } from '../../suite.js';

/** Watchers of log files say FAILED of a task whose log is late, while the task goes on: its job must not end on that. */
const { STATE_CANCELED, STATE_COMPLETED, STATE_FAILED, STATE_MERGING_QUEUED, STATE_RUNNING } = jobs.State;
const HASH = 'a'.repeat(64);
const LONG_MS = 600_000;
let batch: BatchSuite;
/** The same database, with a lease that is soon over. */
let impatient: Copy | undefined;
beforeAll(async () => {
  batch = await openBatchSuite({ workerLeaseMs: LONG_MS, leaseMs: 3_000 });
});
afterAll(() => batch.stop());

const submitDirect = async (taskCount: number) =>
  (await as(alice, () => batch.gateway.submitJob(submission({ taskCount })))).jobId;
const submitBatch = async (taskCount: number) => (await batch.submit({ taskCount })).jobId;
const fail = (jobId: string, taskId: number, failure = '') =>
  batch.gateway.updateTask(taskUpdate(jobId, { taskId, state: STATE_FAILED, failure }));
const complete = (jobId: string, taskId: number) =>
  batch.gateway.updateTask(taskUpdate(jobId, { taskId, state: STATE_COMPLETED }));
const deliver = (jobId: string, primaries?: bigint) =>
  batch.gateway.reportWorkerOutput({ credential: credentialOf(jobId), taskId: 0, contentHash: HASH, primaries });
const deliverTask = (jobId: string, taskId: number) =>
  batch.gateway.reportWorkerOutput({ credential: credentialOf(jobId), taskId, contentHash: '' });
const target = (jobId: string, primaries?: bigint) =>
  batch.gateway.getWorkerTarget({
    credential: credentialOf(jobId),
    taskId: 0,
    celeryId: '',
    contentHash: HASH,
    primaries,
  });
const statesOf = (job: ShownJob) => job.tasks.map(({ state }) => state);
/** The wait of a job is over now, as far as the database knows. */
const endLease = (jobId: string) =>
  batch.suite.sql("UPDATE duties SET next_try_at = now() - interval '1 s' WHERE job_id = $1 AND kind = 'merge'", [
    jobId,
  ]);

describe.each([
  ['direct', submitDirect],
  ['batch', submitBatch],
])('a %s job whose worker called tasks FAILED without a reason', (_platform, submit) => {
  it('waits for final results, which complete it; what was said of its tasks stays', async () => {
    const jobId = await submit(2);
    await batch.gateway.updateTask(taskUpdate(jobId, { taskId: 2, state: STATE_RUNNING }));
    for (const taskId of [1, 2]) await fail(jobId, taskId);
    const waiting = await batch.job(jobId);
    expect(waiting).toMatchObject({ state: STATE_MERGING_QUEUED, failure: '' });
    expect(waiting.waitingReason).toContain('2 of 2 tasks were called FAILED without a reason');
    expect(await target(jobId)).toMatchObject({ isWanted: true, isPartial: false, primaries: 1_000n, taskCount: 2 });
    expect(await deliver(jobId)).toEqual({ isApplied: true });
    const job = await batch.job(jobId);
    expect(job).toMatchObject({ state: STATE_COMPLETED, failure: '', waitingReason: '' });
    expect(statesOf(job)).toEqual([STATE_FAILED, STATE_FAILED]);
    expect(job.tasks[0]?.failure).toBe('REPORTED: its worker said so');
    expect(await deliver(jobId)).toEqual({ isApplied: true });
    expect(await target(jobId)).toMatchObject({ isWanted: false, isRepeat: true });
  });

  it('is completed by final results that come while other tasks are open', async () => {
    const jobId = await submit(3);
    await fail(jobId, 1);
    expect(await deliver(jobId)).toEqual({ isApplied: true });
    const job = await batch.job(jobId);
    expect([job.state, ...statesOf(job)]).toEqual([STATE_COMPLETED, STATE_FAILED, STATE_COMPLETED, STATE_COMPLETED]);
  });

  it('is FAILED, its results partial, when these say that histories are missing', async () => {
    const jobId = await submit(2);
    for (const taskId of [1, 2]) await fail(jobId, taskId);
    expect(await target(jobId, 500n)).toMatchObject({ isPartial: true, primaries: 500n, taskCount: 0 });
    expect(await deliver(jobId, 500n)).toEqual({ isApplied: true });
    const failure = '2 of 2 tasks failed; task 1: REPORTED: its worker said so';
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_FAILED, failure });
  });

  it('is FAILED at once when every task failed for a reason, or was cancelled', async () => {
    const jobId = await submit(2);
    await fail(jobId, 1, 'exit code 3');
    await batch.gateway.updateTask(taskUpdate(jobId, { taskId: 2, state: STATE_CANCELED }));
    const failure = '2 of 2 tasks failed; task 1: exit code 3';
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_FAILED, failure });
  });

  it('waits no longer than the lease, and then says what it was told', async () => {
    const jobId = await submit(2);
    await fail(jobId, 1);
    await fail(jobId, 2, 'exit code 3');
    expect((await batch.job(jobId)).state).toBe(STATE_MERGING_QUEUED);
    await endLease(jobId);
    const failure = '2 of 2 tasks failed; task 1: REPORTED: its worker said so';
    await waitFor(async () => (await batch.job(jobId)).state === STATE_FAILED, { what: 'the end of the wait' });
    expect(await batch.job(jobId)).toMatchObject({ failure, waitingReason: '' });
    expect(await target(jobId)).toMatchObject({ isWanted: false, isRepeat: false });
  });

  it('merges what other tasks delivered when the lease is over, and is FAILED in part', async () => {
    const jobId = await submit(2);
    await deliverTask(jobId, 2);
    await complete(jobId, 2);
    await fail(jobId, 1);
    await deliverTask(jobId, 2); // a repeat does not end the wait
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_MERGING_QUEUED });
    const held = await batch.suite.sql(
      "SELECT 1 FROM duties WHERE job_id = $1 AND kind = 'merge' AND next_try_at > now() + interval '1 minute'",
      [jobId],
    );
    expect(held).toHaveLength(1);
    await endLease(jobId);
    const running = await waitForState(batch.gateway, alice, jobId, jobs.State.STATE_MERGING_RUNNING);
    expect(running.waitingReason).toBe('');
    expect(await mergeNext(batch.suite, { jobId })).toMatchObject({ taskIds: [2], isPartial: true });
    const failure = '1 of 2 tasks failed; task 1: REPORTED: its worker said so';
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_FAILED, failure });
  });

  it('can be cancelled while it waits', async () => {
    const jobId = await submit(1);
    await fail(jobId, 1);
    await as(alice, () => batch.gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_UNSPECIFIED }));
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_CANCELED, waitingReason: '' });
    expect(await deliver(jobId)).toEqual({ isApplied: false });
  });
});

describe('the wait for results', () => {
  it('outlives the service that began it, and ends by the clock of the database', async () => {
    impatient = await batch.suite.start({ workerLeaseMs: 1_000, leaseMs: 300, sweepIntervalMs: 60_000 });
    const first = batch.suite.client('gateway', impatient);
    const jobId = await submitDirect(1);
    await first.updateTask(taskUpdate(jobId, { state: STATE_FAILED }));
    await impatient.stop(); // before it could look again
    expect((await batch.job(jobId)).state).toBe(STATE_MERGING_QUEUED);
    await waitFor(async () => (await batch.job(jobId)).state === STATE_FAILED, {
      what: 'another copy to end the wait',
    });
  });

  it('begins anew with every word of a worker that merges', async () => {
    const jobId = await submitDirect(1);
    await fail(jobId, 1);
    await batch.suite.sql(
      "UPDATE duties SET next_try_at = now() + interval '1 s' WHERE job_id = $1 AND kind = 'merge'",
      [jobId],
    );
    await batch.gateway.updateJob(jobUpdate(jobId, { state: STATE_MERGING_QUEUED }));
    const [lease] = await batch.suite.sql<{ seconds: number }>(
      `SELECT extract(epoch FROM next_try_at - now())::float8 AS seconds
       FROM duties WHERE job_id = $1 AND kind = 'merge'`,
      [jobId],
    );
    expect(lease?.seconds).toBeGreaterThan(30);
  });

  it('is over for a batch job when its cluster has nothing more to give', async () => {
    const jobId = await submitBatch(2);
    for (const taskId of [1, 2]) await fail(jobId, taskId);
    expect(await batch.report(jobId, { end: { lastTask: 0, failure: 'over' } })).toEqual({ isOpen: false });
    const failure = '2 of 2 tasks failed; task 1: REPORTED: its worker said so';
    expect(await batch.job(jobId)).toMatchObject({ state: STATE_FAILED, failure });
  });
});
