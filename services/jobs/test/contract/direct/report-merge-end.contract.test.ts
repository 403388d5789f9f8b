import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob } from '../../shown-job.js';
import {
  ANY_PLATFORM,
  as,
  claimNextMerge,
  claimNextTask,
  completeNextTask,
  openSuite,
  type Suite,
  submission,
} from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const submit = (taskCount: number) => as(alice, () => gateway.submitJob(submission({ taskCount })));
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);
const end = (mergeId: string, outcome: jobs.ReportMergeEndRequest['outcome'], runnerId = 'runner-1') =>
  runner.reportMergeEnd({ mergeId, runnerId, outcome });
const merged = { $case: 'merged', value: {} } as const;
const failed = (isRetryable: boolean) =>
  ({ $case: 'failed', value: { reason: 'RESULTS_DOWN', message: 'no answer', isRetryable } }) as const;

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('ReportMergeEnd merged', () => {
  it('completes the job, once', async () => {
    const { jobId } = await submit(1);
    await completeNextTask(suite.queue, runner);
    const { mergeId } = await claimNextMerge(suite.queue, runner);
    expect(await end(mergeId, merged)).toEqual({ isApplied: true });
    const job = await jobOf(jobId);
    expect(job).toMatchObject({ state: jobs.State.STATE_COMPLETED, failure: '' });
    expect(job?.endTime).toBeDefined();
    expect(await end(mergeId, merged)).toEqual({ isApplied: true });
    expect(await end(mergeId, failed(true))).toEqual({ isApplied: false });
    expect(await jobOf(jobId)).toEqual(job);
    expect(await suite.sql('SELECT 1 FROM outbox')).toEqual([]);
  });

  it('fails the job when some of its tasks did', async () => {
    const { jobId } = await submit(2);
    const { attemptId } = await claimNextTask(suite.queue, runner);
    const value = { reason: 'X', message: 'broken', isRetryable: false };
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'failed', value } });
    await completeNextTask(suite.queue, runner);
    const { mergeId } = await claimNextMerge(suite.queue, runner);
    await end(mergeId, merged);
    const job = await jobOf(jobId);
    expect(job?.state).toBe(jobs.State.STATE_FAILED);
    expect(job?.failure).toMatch(/^1 of 2 tasks failed; task \d: X: broken/);
    expect(job?.endTime).toBeDefined();
  });
});

describe('ReportMergeEnd failed', () => {
  it('opens another attempt, and after the last one the job is FAILED', async () => {
    const { jobId } = await submit(1);
    await completeNextTask(suite.queue, runner);
    const mergeIds = new Set<string>();
    for (const attempt of [1, 2, 3]) {
      const { mergeId } = await claimNextMerge(suite.queue, runner);
      mergeIds.add(mergeId);
      expect(await end(mergeId, failed(true))).toEqual({ isApplied: true });
      const state = attempt < 3 ? jobs.State.STATE_MERGING_QUEUED : jobs.State.STATE_FAILED;
      expect((await jobOf(jobId))?.state).toBe(state);
    }
    expect(mergeIds.size).toBe(3);
    expect((await jobOf(jobId))?.failure).toContain('RESULTS_DOWN: no answer');
  });

  it('fails the job at once when another attempt would fail the same way', async () => {
    const { jobId } = await submit(1);
    await completeNextTask(suite.queue, runner);
    const { mergeId } = await claimNextMerge(suite.queue, runner);
    await end(mergeId, failed(false));
    expect((await jobOf(jobId))?.state).toBe(jobs.State.STATE_FAILED);
  });
});

describe('ReportMergeEnd released', () => {
  it('lets another runner merge', async () => {
    const { jobId } = await submit(1);
    await completeNextTask(suite.queue, runner);
    const first = await claimNextMerge(suite.queue, runner);
    expect(await end(first.mergeId, { $case: 'released', value: {} })).toEqual({ isApplied: true });
    expect((await jobOf(jobId))?.state).toBe(jobs.State.STATE_MERGING_QUEUED);
    const second = await claimNextMerge(suite.queue, runner, 'runner-2');
    expect(second.mergeId).not.toBe(first.mergeId);
    await end(second.mergeId, merged, 'runner-2');
    expect((await jobOf(jobId))?.state).toBe(jobs.State.STATE_COMPLETED);
  });
});

describe('ReportMergeEnd ignored', () => {
  it('from another runner, and for a cancelled or unknown merge', async () => {
    const { jobId } = await submit(1);
    await completeNextTask(suite.queue, runner);
    const { mergeId } = await claimNextMerge(suite.queue, runner);
    expect(await end(mergeId, merged, 'runner-2')).toEqual({ isApplied: false });
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    expect(await end(mergeId, merged)).toEqual({ isApplied: false });
    expect(await end('no-such-merge', merged)).toEqual({ isApplied: false });
    expect((await jobOf(jobId))?.state).toBe(jobs.State.STATE_CANCELED);
  });
});

describe('ReportMergeEnd INVALID_ARGUMENT', () => {
  it('needs an outcome', async () => {
    await expect(end('m', undefined)).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });
});
