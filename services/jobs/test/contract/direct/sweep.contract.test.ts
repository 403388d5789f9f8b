import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { findJob } from '../../shown-job.js';
import { as, claimNextTask, openSuite, type Suite, submission, waitForState } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const fast = { leaseMs: 1_500, heartbeatMs: 100, sweepIntervalMs: 50 };
const submit = (taskCount = 1) => as(alice, () => gateway.submitJob(submission({ taskCount })));
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);

beforeEach(async () => {
  suite = await openSuite();
});
afterEach(() => suite.stop());

async function start(): Promise<void> {
  await suite.start(fast);
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
}

describe('a worker that is lost', () => {
  it('has its task done by another, and what it still says is ignored', async () => {
    await start();
    const { jobId } = await submit();
    const lost = await claimNextTask(suite.queue, runner, 'lost-runner');
    const next = await claimNextTask(suite.queue, runner, 'next-runner'); // as soon as the lease has run out
    expect(next.attemptId).not.toBe(lost.attemptId);
    expect(next.order).toEqual({ ...lost.order, attempt: 2 });
    expect(await runner.reportTask({ attemptId: lost.attemptId, simulatedPrimaries: 999n })).toMatchObject({
      mustStop: true,
    });
    const completed = { $case: 'completed', value: { simulatedPrimaries: lost.order.primaries } } as const;
    expect(await runner.reportTaskEnd({ attemptId: lost.attemptId, outcome: completed })).toEqual({ isApplied: false });
    expect((await jobOf(jobId))?.tasks[0]).toMatchObject({
      state: jobs.State.STATE_RUNNING,
      simulatedPrimaries: 0n,
      attemptCount: 2,
    });
    expect(await runner.reportTaskEnd({ attemptId: next.attemptId, outcome: completed })).toEqual({ isApplied: true });
    await waitForState(gateway, alice, jobId, jobs.State.STATE_MERGING_RUNNING);
  });

  it('three times makes the task FAILED, and says so', async () => {
    await start();
    const { jobId } = await submit();
    for (let attempt = 1; attempt <= 3; attempt++) await claimNextTask(suite.queue, runner, `runner-${attempt}`);
    const job = await waitForState(gateway, alice, jobId, jobs.State.STATE_FAILED);
    expect(job.tasks[0]?.failure).toBe('WORKER_LOST: the worker was not heard of any more (attempt 3 of 3)');
    expect(job.endTime).toBeDefined();
  });
});

describe('a worker that reports', () => {
  it('keeps its task for many leases', async () => {
    await start();
    await submit();
    const { attemptId } = await claimNextTask(suite.queue, runner);
    let reports = 0n;
    const end = Date.now() + 3 * fast.leaseMs;
    await waitFor(
      async () => {
        expect(await runner.reportTask({ attemptId, simulatedPrimaries: reports++ })).toMatchObject({
          mustStop: false,
        });
        return Date.now() > end;
      },
      { intervalMs: fast.heartbeatMs },
    );
    expect(await suite.sql('SELECT 1 FROM attempts')).toHaveLength(1);
  });
});

describe('after an outage of this service', () => {
  it('workers have a whole lease to report again before they count as lost', async () => {
    const first = await suite.start({ leaseMs: 1_000, sweepIntervalMs: 20 });
    gateway = suite.client('gateway', first);
    await submit();
    const { attemptId } = await claimNextTask(suite.queue, suite.client('direct-runner', first));
    await first.stop();
    await suite.sql(`UPDATE attempts SET lease_expires_at = now() - interval '1 h'`);
    const second = await suite.start({ leaseMs: 1_000, sweepIntervalMs: 20 });
    const survivor = suite.client('direct-runner', second);
    expect(await survivor.reportTask({ attemptId, simulatedPrimaries: 1n })).toMatchObject({ mustStop: false });
    expect(await suite.sql('SELECT 1 FROM attempts WHERE ended_at IS NOT NULL')).toEqual([]);
  });
});

describe('two copies that sweep', () => {
  it('open one next attempt for each lost one', async () => {
    await start();
    await suite.start(fast);
    await submit(20);
    for (let i = 0; i < 20; i++) await claimNextTask(suite.queue, runner, `lost-${i}`);
    await waitFor(async () => (await suite.sql(`SELECT 1 FROM attempts WHERE outcome = 'lost'`)).length === 20, {
      what: 'all to be lost',
    });
    expect(await suite.sql('SELECT 1 FROM attempts WHERE number = 2')).toHaveLength(20);
    expect(await suite.sql('SELECT 1 FROM attempts WHERE number > 2')).toEqual([]);
  });
});
