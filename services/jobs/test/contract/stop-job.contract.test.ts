import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { type BatchSuite, openBatchSuite, taskReport } from '../batch-suite.js';
import { credentialOf, taskUpdate } from '../external-worker.js';
import { listJobs, type ShownJob } from '../shown-job.js';
import { ANY_PLATFORM, as, claimNextTask, completeNextTask, mergeNext, submission, waitForState } from '../suite.js';

let suite: BatchSuite;
const [alice, bob] = [1n, 2n];
const { STATE_CANCELED, STATE_COMPLETED, STATE_FAILED, STATE_MERGING_RUNNING, STATE_PENDING, STATE_RUNNING } =
  jobs.State;
const { PLATFORM_BATCH, PLATFORM_DIRECT } = jobs.Platform;
const submit = (taskCount: number) => as(alice, () => suite.gateway.submitJob(submission({ taskCount })));
const stop = (jobId: string, userId = alice, platform = ANY_PLATFORM) =>
  as(userId, () => suite.gateway.stopJob({ jobId, platform }));
const completed = (simulatedPrimaries: bigint) => ({ $case: 'completed' as const, value: { simulatedPrimaries } });
const seen = ({ tasks }: ShownJob) => tasks.map(({ state, simulatedPrimaries }) => [state, simulatedPrimaries]);
const mergeOf = (jobId: string) => mergeNext(suite.suite, { jobId });

beforeAll(async () => {
  suite = await openBatchSuite();
});
afterAll(() => suite.stop());

describe('StopJob OK, on the direct platform', () => {
  it('merges what was done and what running tasks hand over; what waits is not run', async () => {
    const { jobId } = await submit(4);
    const { queue } = suite.suite;
    await completeNextTask(queue, suite.runner);
    const [early, empty] = [await claimNextTask(queue, suite.runner), await claimNextTask(queue, suite.runner)];
    const beat = (attemptId: string) => suite.runner.reportTask({ attemptId, simulatedPrimaries: 50n });
    expect(await beat(early.attemptId)).toEqual({ mustStop: false, mustFinish: false });
    expect(await stop(jobId)).toEqual({ state: STATE_RUNNING, isStopped: true });
    expect(await stop(jobId)).toEqual({ state: STATE_RUNNING, isStopped: true });
    expect((await suite.job(jobId)).isStopped).toBe(true);
    expect(await beat(early.attemptId)).toEqual({ mustStop: false, mustFinish: true });
    const end = (attemptId: string, outcome: jobs.TaskEnd['outcome']) =>
      suite.runner.reportTaskEnd({ attemptId, outcome });
    expect(await end(early.attemptId, completed(60n))).toEqual({ isApplied: true });
    expect(await end(empty.attemptId, { $case: 'released', value: {} })).toEqual({ isApplied: true });
    const states = seen(await suite.job(jobId)).toSorted((a, b) => Number(b[1]) - Number(a[1]));
    expect(states).toEqual([
      [STATE_COMPLETED, 250n],
      [STATE_COMPLETED, 60n],
      [STATE_CANCELED, 0n],
      [STATE_CANCELED, 0n],
    ]);
    expect(await mergeOf(jobId)).toMatchObject({ taskIds: { length: 2 }, isPartial: false, isStopped: true });
    const job = await suite.job(jobId);
    expect(job).toMatchObject({ state: STATE_COMPLETED, isStopped: true, simulatedPrimaries: 310n, failure: '' });
    const { jobs: listed } = await listJobs(suite.gateway, alice, { pageSize: 1 });
    expect(listed[0]).toMatchObject({ jobId, isStopped: true, simulatedPrimaries: 310n });
    const told = await suite.suite.sql(
      "SELECT state, is_stopped, simulated_primaries FROM job_events WHERE job_id = $1 AND kind = 'job' ORDER BY id",
      [jobId],
    );
    expect(told.slice(-4)).toEqual([
      { state: 'RUNNING', is_stopped: true, simulated_primaries: null },
      { state: 'MERGING_QUEUED', is_stopped: true, simulated_primaries: null },
      { state: 'MERGING_RUNNING', is_stopped: true, simulated_primaries: null },
      { state: 'COMPLETED', is_stopped: true, simulated_primaries: '310' },
    ]);
    expect(await stop(jobId)).toEqual({ state: STATE_COMPLETED, isStopped: true });
  });

  it('CANCELs a job of which nothing was simulated, and takes its messages back', async () => {
    const { jobId } = await submit(3);
    expect(await stop(jobId)).toEqual({ state: STATE_CANCELED, isStopped: true });
    expect(seen(await suite.job(jobId)).map(([state]) => state)).toEqual(Array(3).fill(STATE_CANCELED));
    const left = await suite.suite.sql('SELECT 1 FROM outbox JOIN jobs s ON s.id = job_key WHERE job_id = $1', [jobId]);
    expect(left).toEqual([]);
  });

  it('tries no task again that is lost or fails after it, and counts none of what it has not handed over', async () => {
    const { jobId } = await submit(2);
    const [first, second] = [
      await claimNextTask(suite.suite.queue, suite.runner),
      await claimNextTask(suite.suite.queue, suite.runner),
    ];
    await stop(jobId);
    const failure = { reason: 'X', message: 'x', isRetryable: true };
    await suite.runner.reportTaskEnd({ attemptId: first.attemptId, outcome: { $case: 'failed', value: failure } });
    await suite.suite.sql("UPDATE attempts SET lease_expires_at = now() - interval '1 s' WHERE id = $1", [
      second.attemptId,
    ]);
    await suite.runner.reportTaskEnd({ attemptId: second.attemptId, outcome: { $case: 'released', value: {} } });
    expect(await suite.job(jobId)).toMatchObject({ state: STATE_CANCELED, isStopped: true });
    expect(await suite.runner.reportTask({ attemptId: second.attemptId, simulatedPrimaries: 1n })).toMatchObject({
      mustStop: true,
    });
  });

  it('tells an external worker to stop, which has no part to hand over', async () => {
    const { jobId } = await submit(1);
    await suite.asBridge.updateTask(taskUpdate(jobId, { state: STATE_RUNNING }));
    expect(await stop(jobId)).toEqual({ state: STATE_CANCELED, isStopped: true });
    expect(await suite.asBridge.updateTask(taskUpdate(jobId, { state: STATE_RUNNING }))).toMatchObject({
      isApplied: false,
      mustStop: true,
    });
  });

  it('leaves a job as it is of which all tasks have ended', async () => {
    const { jobId } = await submit(1);
    await completeNextTask(suite.suite.queue, suite.runner);
    await waitForState(suite.gateway, alice, jobId, STATE_MERGING_RUNNING);
    expect(await stop(jobId)).toEqual({ state: STATE_MERGING_RUNNING, isStopped: false });
    expect(await mergeOf(jobId)).toMatchObject({ isStopped: false });
    expect(await suite.job(jobId)).toMatchObject({
      state: STATE_COMPLETED,
      isStopped: false,
      simulatedPrimaries: 1000n,
    });
  });
});

describe('StopJob OK, on the batch platform', () => {
  const output = (jobId: string, taskId: number) =>
    suite.asBridge.reportWorkerOutput({ credential: credentialOf(jobId), taskId, contentHash: '' });

  it('has running tasks hand over what they have, and the scheduler drop the others', async () => {
    const { jobId } = await suite.submit({ taskCount: 3 }, 900);
    const running = [taskReport(1, STATE_RUNNING), taskReport(2, STATE_RUNNING)];
    await suite.report(jobId, { tasks: running });
    expect(await stop(jobId, alice, PLATFORM_BATCH)).toEqual({ state: STATE_RUNNING, isStopped: true });
    expect((await suite.report(jobId, { wantsState: true })).state).toMatchObject({
      endedTasks: [3],
      mustFinish: true,
    });
    expect(await suite.asBridge.updateTask(taskUpdate(jobId, { simulatedPrimaries: 10n }))).toEqual({
      isApplied: true,
      mustStop: false,
      mustFinish: true,
    });
    expect(await suite.asBridge.updateTask(taskUpdate(jobId, { taskId: 3, state: STATE_RUNNING }))).toMatchObject({
      mustStop: true,
    });
    await output(jobId, 1);
    await suite.asBridge.updateTask(taskUpdate(jobId, { state: STATE_COMPLETED, simulatedPrimaries: 20n }));
    expect(suite.bridge.told).not.toContain(`cancel ${jobId}`);
    await suite.asBridge.updateTask(taskUpdate(jobId, { taskId: 2, state: STATE_FAILED, failure: 'no output' }));
    expect(await mergeOf(jobId)).toMatchObject({ taskIds: [1], isPartial: false, isStopped: true });
    expect(await suite.job(jobId)).toMatchObject({ state: STATE_COMPLETED, isStopped: true, simulatedPrimaries: 20n });
    await waitFor(() => suite.bridge.told.includes(`cancel ${jobId}`));
    expect(seen(await suite.job(jobId))).toEqual([
      [STATE_COMPLETED, 20n],
      [STATE_FAILED, 0n],
      [STATE_CANCELED, 0n],
    ]);
  });

  it('waits for the end of a task whose output is here', async () => {
    const { jobId } = await suite.submit({ taskCount: 2 }, 900);
    await output(jobId, 1);
    expect(await stop(jobId)).toMatchObject({ state: STATE_PENDING });
    await suite.asBridge.updateTask(taskUpdate(jobId, { state: STATE_COMPLETED, simulatedPrimaries: 450n }));
    await mergeOf(jobId);
    expect(await suite.job(jobId)).toMatchObject({ state: STATE_COMPLETED, simulatedPrimaries: 450n });
  });

  it('CANCELs what the cluster has not begun', async () => {
    const { jobId } = await suite.submit();
    expect(await stop(jobId)).toEqual({ state: STATE_CANCELED, isStopped: true });
  });
});

describe('StopJob NOT_FOUND and PERMISSION_DENIED', () => {
  it('knows no such job, nor a direct one on the batch path, nor gives away another user’s', async () => {
    const { jobId } = await submit(1);
    await expect(stop('nowhere')).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    await expect(stop(jobId, alice, PLATFORM_BATCH)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    await expect(stop(jobId, bob, PLATFORM_DIRECT)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
  });
});
