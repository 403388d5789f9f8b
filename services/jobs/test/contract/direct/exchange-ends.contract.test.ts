import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob } from '../../shown-job.js';
import {
  ANY_PLATFORM,
  as,
  claimNextTask,
  completeNextTask,
  mergeNext,
  openSuite,
  type Suite,
  submission,
} from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const { STATE_PENDING, STATE_RUNNING, STATE_COMPLETED, STATE_FAILED } = jobs.State;
const MERGING = [jobs.State.STATE_MERGING_QUEUED, jobs.State.STATE_MERGING_RUNNING];
const submit = (taskCount: number, primaries = 1_000) =>
  as(alice, () => gateway.submitJob(submission({ taskCount }, primaries)));
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);
const failWith = (attemptId: string, isRetryable: boolean, message = 'exit code 3') =>
  runner.reportTaskEnd({
    attemptId,
    outcome: { $case: 'failed', value: { reason: 'SIMULATOR_FAILED', message, isRetryable } },
  });

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ releasesMax: 2 });
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('ExchangeTasks, ends: completed', () => {
  it('ends the task, and with the last one queues the merge', async () => {
    const { jobId } = await submit(2, 9);
    const first = await completeNextTask(suite.queue, runner);
    const half = await jobOf(jobId);
    expect(half?.state).toBe(STATE_RUNNING);
    const task = half?.tasks.find(({ taskId }) => taskId === first.order.taskId);
    expect(task).toMatchObject({ state: STATE_COMPLETED, simulatedPrimaries: task?.requestedPrimaries });
    expect(task?.estimatedTime).toBeUndefined();
    expect(task?.endTime).toBeDefined();
    await completeNextTask(suite.queue, runner);
    const done = await jobOf(jobId);
    expect(MERGING).toContain(done?.state);
    expect(done?.endTime).toBeUndefined();
    expect(await mergeNext(suite, { jobId })).toMatchObject({ taskIds: [1, 2] });
  });

  it('says the same when it is repeated, and changes nothing', async () => {
    const { jobId } = await submit(2);
    const { attemptId, order, isApplied } = await completeNextTask(suite.queue, runner);
    expect(isApplied).toBe(true);
    const before = await jobOf(jobId);
    const value = { simulatedPrimaries: order.primaries };
    expect(await runner.reportTaskEnd({ attemptId, outcome: { $case: 'completed', value } })).toEqual({
      isApplied: true,
    });
    expect(await failWith(attemptId, true)).toEqual({ isApplied: false });
    expect(await jobOf(jobId)).toEqual(before);
    await completeNextTask(suite.queue, runner);
  });

  it('queues one merge when the last tasks end at the same moment', async () => {
    const { jobId } = await submit(8);
    const claims = [];
    for (let i = 0; i < 8; i++) claims.push(await claimNextTask(suite.queue, runner, `runner-${i}`));
    await Promise.all(
      claims.map(({ attemptId, order }) => {
        const value = { simulatedPrimaries: order.primaries };
        return runner.reportTaskEnd({ attemptId, outcome: { $case: 'completed', value } });
      }),
    );
    expect(MERGING).toContain((await jobOf(jobId))?.state);
    const merges = await suite.sql("SELECT 1 FROM duties WHERE kind = 'merge' AND job_id = $1", [jobId]);
    expect(merges).toHaveLength(1);
  });

  it('does not take less than was asked for', async () => {
    const { jobId } = await submit(1);
    const { attemptId } = await claimNextTask(suite.queue, runner);
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'completed', value: { simulatedPrimaries: 999n } } });
    expect((await jobOf(jobId))?.tasks[0]).toMatchObject({ state: STATE_PENDING, attemptCount: 2 });
    await completeNextTask(suite.queue, runner);
  });
});

describe('ExchangeTasks, ends: failed', () => {
  it('opens two more attempts, from zero, and then the job with nothing delivered is FAILED', async () => {
    const { jobId } = await submit(1);
    for (const attempt of [1, 2, 3]) {
      const { attemptId, order } = await claimNextTask(suite.queue, runner);
      expect(order.attempt).toBe(attempt);
      await runner.reportTask({ attemptId, simulatedPrimaries: 400n });
      expect(await failWith(attemptId, true)).toEqual({ isApplied: true });
      if (attempt < 3)
        expect((await jobOf(jobId))?.tasks[0]).toMatchObject({ simulatedPrimaries: 0n, state: STATE_PENDING });
    }
    const job = await jobOf(jobId);
    expect(job?.state).toBe(STATE_FAILED);
    expect(job?.endTime).toBeDefined();
    expect(job?.tasks[0]).toMatchObject({ state: STATE_FAILED, attemptCount: 3 });
    expect(job?.tasks[0]?.failure).toContain('SIMULATOR_FAILED: exit code 3');
    expect(job?.failure).toContain('1 of 1 tasks failed; task 1: SIMULATOR_FAILED');
  });

  it('is not tried again when it would fail the same way', async () => {
    const { jobId } = await submit(1);
    const { attemptId } = await claimNextTask(suite.queue, runner);
    await failWith(attemptId, false, `bad\0${'x'.repeat(5_000)}`);
    const job = await jobOf(jobId);
    expect(job?.state).toBe(STATE_FAILED);
    expect(job?.tasks[0]?.failure.length).toBeLessThan(1_100);
  });

  it('lets the other tasks finish, and what they delivered be merged', async () => {
    const { jobId } = await submit(2);
    const { attemptId } = await claimNextTask(suite.queue, runner);
    await failWith(attemptId, false);
    expect((await jobOf(jobId))?.state).toBe(STATE_RUNNING);
    await completeNextTask(suite.queue, runner);
    const job = await jobOf(jobId);
    expect(MERGING).toContain(job?.state);
    expect(job?.failure).toBe('');
  });
});

describe('ExchangeTasks, ends: released', () => {
  it('uses up no attempt, until it happens too often', async () => {
    const { jobId } = await submit(1);
    for (let release = 1; release <= 4; release++) {
      const { attemptId, order } = await claimNextTask(suite.queue, runner);
      expect(order.attempt).toBe(release);
      expect(await runner.reportTaskEnd({ attemptId, outcome: { $case: 'released', value: {} } })).toEqual({
        isApplied: true,
      });
      expect((await jobOf(jobId))?.tasks[0]?.state).toBe(STATE_PENDING);
    }
    const { attemptId } = await claimNextTask(suite.queue, runner);
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'released', value: {} } });
    expect((await jobOf(jobId))?.state).toBe(STATE_FAILED); // 2 free, 3 charged
  });
});

describe('ExchangeTasks, ends: ignored', () => {
  it('from an attempt that was cancelled, never claimed, or never was', async () => {
    const { jobId } = await submit(2);
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    const [open] = await suite.sql<{ id: string }>(
      `SELECT a.id FROM attempts a JOIN tasks t ON t.id = a.task_key JOIN jobs s ON s.id = t.job_key
       WHERE job_id = $1 AND runner_id IS NULL`,
      [jobId],
    );
    const complete = (id: string) =>
      runner.reportTaskEnd({
        attemptId: id,
        outcome: { $case: 'completed', value: { simulatedPrimaries: order.primaries } },
      });
    expect(await complete(open?.id ?? '')).toEqual({ isApplied: false });
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    expect(await complete(attemptId)).toEqual({ isApplied: false });
    expect(await complete('no-such-attempt')).toEqual({ isApplied: false });
    expect((await jobOf(jobId))?.state).toBe(jobs.State.STATE_CANCELED);
  });
});

describe('ExchangeTasks, ends: INVALID_ARGUMENT', () => {
  it('needs an outcome', async () => {
    await expect(runner.reportTaskEnd({ attemptId: 'a', outcome: undefined })).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'REQUEST_INVALID',
    });
  });
});
