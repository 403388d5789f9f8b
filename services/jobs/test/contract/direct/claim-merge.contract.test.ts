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
  receiveMerge,
  type Suite,
  submission,
} from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const submit = (taskCount: number) => as(alice, () => gateway.submitJob(submission({ taskCount })));
const stateOf = async (jobId: string) => (await findJob(gateway, alice, jobId)).state;

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('ClaimMerge OK', () => {
  it('names the tasks that delivered and sets the job MERGING_RUNNING', async () => {
    const { jobId } = await submit(3);
    for (let i = 0; i < 3; i++) await completeNextTask(suite.queue, runner);
    const { mergeId, order } = await claimNextMerge(suite.queue, runner);
    expect(order).toMatchObject({ jobId, taskIds: [1, 2, 3], isPartial: false, lease: { seconds: 15n } });
    expect(await stateOf(jobId)).toBe(jobs.State.STATE_MERGING_RUNNING);
    expect(await runner.claimMerge({ mergeId, runnerId: 'runner-1' })).toEqual(order);
  });

  it('leaves out tasks that failed, and says that the results are partial', async () => {
    await submit(2);
    const { attemptId, order: failing } = await claimNextTask(suite.queue, runner);
    const value = { reason: 'X', message: 'x', isRetryable: false };
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'failed', value } });
    await completeNextTask(suite.queue, runner);
    const { order } = await claimNextMerge(suite.queue, runner);
    expect(order).toMatchObject({ taskIds: [3 - failing.taskId], isPartial: true });
  });
});

describe('ClaimMerge FAILED_PRECONDITION', () => {
  const refused = (mergeId: string) =>
    expect(runner.claimMerge({ mergeId, runnerId: 'runner-2' })).rejects.toMatchObject({
      status: 'FAILED_PRECONDITION',
      reason: 'MERGE_NOT_CLAIMABLE',
    });

  it('refuses a merge that another runner has', async () => {
    await submit(1);
    await completeNextTask(suite.queue, runner);
    const { mergeId } = await claimNextMerge(suite.queue, runner);
    await refused(mergeId);
  });

  it('refuses a merge of a cancelled job', async () => {
    const { jobId } = await submit(1);
    await completeNextTask(suite.queue, runner);
    const { delivery, merge } = await receiveMerge(suite.queue);
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await refused(merge.mergeId);
    await delivery.ack();
  });

  it('refuses a merge that never was', () => refused('no-such-merge'));
});

describe('ClaimMerge INVALID_ARGUMENT', () => {
  it('needs the name of a runner', async () => {
    await expect(runner.claimMerge({ mergeId: 'm', runnerId: '' })).rejects.toMatchObject({
      reason: 'REQUEST_INVALID',
    });
  });
});
