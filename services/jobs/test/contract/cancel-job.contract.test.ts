import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob } from '../shown-job.js';
import {
  ANY_PLATFORM,
  as,
  claimNextTask,
  completeNextTask,
  mergeNext,
  openSuite,
  type Suite,
  submission,
} from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const [alice, bob] = [1n, 2n];
const { STATE_CANCELED, STATE_COMPLETED, STATE_FAILED } = jobs.State;
const submit = (taskCount = 1) => as(alice, () => gateway.submitJob(submission({ taskCount })));
const cancel = (userId: bigint, jobId: string, platform = ANY_PLATFORM) =>
  as(userId, () => gateway.cancelJob({ jobId, platform }));
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('CancelJob OK', () => {
  it('cancels the job with every open task; what has ended stays as it is', async () => {
    const { jobId } = await submit(3);
    const done = await completeNextTask(suite.queue, runner);
    const running = await claimNextTask(suite.queue, runner);
    expect(await cancel(alice, jobId)).toEqual({ state: STATE_CANCELED });
    const job = await jobOf(jobId);
    expect(job?.state).toBe(STATE_CANCELED);
    expect(job?.endTime).toBeDefined();
    const states = Object.fromEntries(job?.tasks.map(({ taskId, state }) => [taskId, state]) ?? []);
    expect(states).toEqual({
      1: STATE_CANCELED,
      2: STATE_CANCELED,
      3: STATE_CANCELED,
      [done.order.taskId]: STATE_COMPLETED,
    });
    expect(job?.tasks.every(({ endTime }) => endTime !== undefined)).toBe(true);
    expect((await runner.reportTask({ attemptId: running.attemptId, simulatedPrimaries: 1n })).mustStop).toBe(true);
  });

  it('takes back the messages that are still here', async () => {
    const { jobId } = await submit(1000);
    await cancel(alice, jobId);
    const left = await suite.sql('SELECT 1 FROM outbox JOIN jobs s ON s.id = job_key WHERE job_id = $1', [jobId]);
    expect(left).toEqual([]);
  });

  it('answers a terminal job with its state, and changes nothing', async () => {
    const { jobId } = await submit();
    await cancel(alice, jobId);
    const before = await jobOf(jobId);
    expect(await cancel(alice, jobId)).toEqual({ state: STATE_CANCELED });
    expect(await jobOf(jobId)).toEqual(before);
  });

  it('never undoes COMPLETED or FAILED', async () => {
    const fresh = await openSuite();
    await fresh.start();
    const user = fresh.client('gateway');
    const worker = fresh.client('direct-runner');
    const completed = await as(alice, () => user.submitJob(submission()));
    await completeNextTask(fresh.queue, worker);
    await mergeNext(fresh);
    const failed = await as(alice, () => user.submitJob(submission()));
    const { attemptId } = await claimNextTask(fresh.queue, worker);
    const value = { reason: 'X', message: 'x', isRetryable: false };
    await worker.reportTaskEnd({ attemptId, outcome: { $case: 'failed', value } });
    for (const [{ jobId }, state] of [[completed, STATE_COMPLETED] as const, [failed, STATE_FAILED] as const]) {
      expect(await as(alice, () => user.cancelJob({ jobId, platform: ANY_PLATFORM }))).toEqual({ state });
    }
    await fresh.stop();
  });

  it('leaves exactly one terminal state when it meets the end of the last task', async () => {
    for (let round = 0; round < 10; round++) {
      const fresh = await submit();
      const [row] = await suite.sql<{ id: string }>(
        `UPDATE attempts SET runner_id = 'racer', lease_expires_at = now() + interval '1 min' FROM tasks t, jobs s
         WHERE t.id = task_key AND s.id = t.job_key AND job_id = $1 RETURNING attempts.id`,
        [fresh.jobId],
      );
      await runner.claimTask({ attemptId: row?.id ?? '', runnerId: 'racer' });
      const value = { reason: 'X', message: 'x', isRetryable: false };
      const [canceled, ended] = await Promise.all([
        cancel(alice, fresh.jobId),
        runner.reportTaskEnd({ attemptId: row?.id ?? '', outcome: { $case: 'failed', value } }),
      ]);
      const job = await jobOf(fresh.jobId);
      expect(job?.state).toBe(ended.isApplied ? STATE_FAILED : STATE_CANCELED);
      expect(canceled.state).toBe(job?.state);
      expect(job?.tasks[0]?.state).toBe(job?.state);
    }
  });
});

describe('CancelJob NOT_FOUND and PERMISSION_DENIED', () => {
  it('knows no such job, nor a direct one on the batch path', async () => {
    const { jobId } = await submit();
    await expect(cancel(alice, 'no-such-job')).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    await expect(cancel(alice, jobId, jobs.Platform.PLATFORM_BATCH)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });

  it("refuses another user's job, and changes nothing", async () => {
    const { jobId } = await submit();
    const before = await jobOf(jobId);
    await expect(cancel(bob, jobId)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
    expect((await jobOf(jobId))?.state).toBe(before?.state);
  });
});
