import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { kitError, ServiceError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { findJob } from '../../shown-job.js';
import {
  ANY_PLATFORM,
  as,
  type Copy,
  claimNextTask,
  completeNextTask,
  mergeNext,
  openSuite,
  type Suite,
  submission,
  waitForState,
} from '../../suite.js';

let suite: Suite;
let first: Copy;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const { STATE_CANCELED, STATE_COMPLETED, STATE_FAILED, STATE_MERGING_RUNNING } = jobs.State;
const quick = { sweepIntervalMs: 50, dutyRetryMaxMs: 100 };
const submit = (taskCount = 1) => as(alice, () => gateway.submitJob(submission({ taskCount })));
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);
const duties = () => suite.sql<{ kind: string; try_count: number }>('SELECT kind, try_count FROM duties');
const cancel = (jobId: string) => as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));

beforeEach(async () => {
  suite = await openSuite();
  first = await suite.start(quick);
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterEach(() => suite.stop());

async function toMerge(taskCount = 1): Promise<string> {
  const { jobId } = await submit(taskCount);
  for (let i = 0; i < taskCount; i++) await completeNextTask(suite.queue, runner);
  return jobId;
}

describe('the merge of a job', () => {
  it('is asked of results with the tasks that delivered, and completes the job', async () => {
    const jobId = await toMerge(3);
    const running = await waitForState(gateway, alice, jobId, STATE_MERGING_RUNNING);
    expect(running.endTime).toBeUndefined();
    expect(await mergeNext(suite)).toEqual({
      jobId,
      taskIds: [1, 2, 3],
      isPartial: false,
      isStopped: false,
      mergeNumber: 1,
      errorPages: undefined,
    });
    const job = await jobOf(jobId);
    expect(job).toMatchObject({ state: STATE_COMPLETED, failure: '' });
    expect(job?.endTime).toBeDefined();
    expect(await duties()).toEqual([]);
  });

  it('leaves out tasks that failed: the job is FAILED, its results partial', async () => {
    const { jobId } = await submit(2);
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    const value = { reason: 'X', message: 'broken', isRetryable: false };
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'failed', value } });
    await completeNextTask(suite.queue, runner);
    expect(await mergeNext(suite)).toMatchObject({ taskIds: [3 - order.taskId], isPartial: true });
    const job = await jobOf(jobId);
    expect(job?.state).toBe(STATE_FAILED);
    expect(job?.failure).toMatch(/^1 of 2 tasks failed; task \d: X: broken/);
  });

  it('waits while results is away, for as long as it takes', async () => {
    const { jobId } = await submit();
    suite.results.setDown(true);
    await completeNextTask(suite.queue, runner);
    const isTriedAgain = async () => ((await duties())[0]?.try_count ?? 0) > 1;
    await waitFor(isTriedAgain, { what: 'a second try' });
    expect(await suite.sql("SELECT payload->>'failedCount' AS n FROM duties")).toEqual([{ n: '0' }]); // none that counts
    expect((await jobOf(jobId))?.state).toBe(STATE_MERGING_RUNNING);
    suite.results.setDown(false);
    await mergeNext(suite);
    expect((await jobOf(jobId))?.state).toBe(STATE_COMPLETED);
  });

  it('fails the job when it has failed too often', async () => {
    const jobId = await toMerge();
    for (const attempt of [1, 2, 3]) {
      const { order, fail } = await suite.results.nextMerge();
      expect(order.mergeNumber).toBe(1);
      fail(kitError('INTERNAL'));
      if (attempt < 3) expect((await jobOf(jobId))?.state).toBe(STATE_MERGING_RUNNING);
    }
    const job = await waitForState(gateway, alice, jobId, STATE_FAILED);
    expect(job.failure).toBe(
      'merging the results failed; MERGE_INTERRUPTED: the merge could not be finished (attempt 3 of 3)',
    );
    expect(await duties()).toEqual([]);
  });

  it.each([
    ['OUTPUTS_INCOMPLETE', 'FAILED_PRECONDITION', 3, 'RESULTS_INCOMPLETE: task 1 has none (attempt 3 of 3)'],
    ['UPLOAD_TOO_LARGE', 'RESOURCE_EXHAUSTED', 1, 'RESULTS_REFUSED: task 1 has none'],
  ] as const)('fails the job when results refuses it: %s', async (reason, status, tries, failure) => {
    const jobId = await toMerge();
    for (let i = 0; i < tries; i++) {
      const { fail } = await suite.results.nextMerge();
      fail(new ServiceError('results', reason, status, 'task 1 has none'));
    }
    const job = await waitForState(gateway, alice, jobId, STATE_FAILED);
    expect(job.failure).toBe(`merging the results failed; ${failure}`);
  });

  it('does not count when the job was cancelled meanwhile', async () => {
    const jobId = await toMerge();
    const { answer } = await suite.results.nextMerge();
    const before = (await cancel(jobId)).state;
    expect(before).toBe(STATE_CANCELED);
    answer({});
    // a later merge of the same copy has ended: this one has, too
    await toMerge();
    await mergeNext(suite);
    expect((await jobOf(jobId))?.state).toBe(STATE_CANCELED);
    expect(await duties()).toEqual([]);
  });
});

describe('a copy of the service that has a merge in hand', () => {
  it('hands it over when it stops', async () => {
    const jobId = await toMerge();
    await waitForState(gateway, alice, jobId, STATE_MERGING_RUNNING);
    await suite.results.nextMerge();
    await suite.start(quick);
    await first.stop();
    await mergeNext(suite, { jobId });
    expect(await duties()).toEqual([]);
  });

  it('is not waited for longer than it holds it, when it is not heard of any more', async () => {
    const jobId = await toMerge();
    const lost = await suite.results.nextMerge();
    const second = await suite.start(quick);
    // as if it had died, and the time were over
    await suite.sql('UPDATE duties SET held_until = now()');
    expect(await mergeNext(suite, { jobId })).toEqual(lost.order);
    lost.answer({}); // it lives, and is too late
    expect((await findJob(suite.client('gateway', second), alice, jobId)).state).toBe(STATE_COMPLETED);
  });
});
