import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { findJob } from '../shown-job.js';
import {
  ANY_PLATFORM,
  as,
  claimNextTask,
  mergeNext,
  openSuite,
  type Suite,
  submission,
  waitForState,
} from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const [alice, bob] = [1n, 2n];
const submit = () => as(alice, () => gateway.submitJob(submission()));
const cancel = (jobId: string) => as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
const remove = (userId: bigint, jobId: string) => as(userId, () => gateway.deleteJob({ jobId }));

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ sweepIntervalMs: 50, dutyRetryMaxMs: 200, callTimeoutMs: 1_000 });
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('DeleteJob OK', () => {
  it('leaves nothing of the job, here and in results', async () => {
    const { jobId } = await submit();
    const [row] = await suite.sql<{ id: string }>('SELECT id FROM jobs WHERE job_id = $1', [jobId]);
    await cancel(jobId);
    await remove(alice, jobId);
    await expect(findJob(gateway, alice, jobId)).rejects.toMatchObject({
      reason: 'JOB_NOT_FOUND',
    });
    for (const table of ['tasks', 'outbox', 'job_costs']) {
      expect(await suite.sql(`SELECT 1 FROM ${table} WHERE job_key = $1`, [row?.id])).toEqual([]);
    }
    await waitFor(() => !suite.results.inputs.has(jobId));
    await waitFor(async () => (await suite.sql('SELECT 1 FROM duties')).length === 0);
  });

  it('reaches results also when that was down', async () => {
    const { jobId } = await submit();
    await cancel(jobId);
    suite.results.setDown(true);
    await remove(alice, jobId);
    await waitFor(async () => (await suite.sql('SELECT 1 FROM duties WHERE try_count > 1')).length === 1);
    expect(suite.results.inputs.has(jobId)).toBe(true);
    suite.results.setDown(false);
    await waitFor(() => !suite.results.inputs.has(jobId), { what: 'removal in results' });
    await waitFor(async () => (await suite.sql('SELECT 1 FROM duties')).length === 0);
  });
});

describe('DeleteJob ABORTED', () => {
  const refused = (jobId: string) =>
    expect(remove(alice, jobId)).rejects.toMatchObject({ status: 'ABORTED', reason: 'JOB_NOT_TERMINAL' });

  it('refuses a job in every state that is not terminal', async () => {
    const fresh = await submit();
    await refused(fresh.jobId); // PENDING
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    await refused(fresh.jobId); // RUNNING
    const value = { simulatedPrimaries: order.primaries };
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'completed', value } });
    await refused(fresh.jobId); // MERGING_QUEUED
    await waitForState(gateway, alice, fresh.jobId, jobs.State.STATE_MERGING_RUNNING);
    await refused(fresh.jobId);
    await mergeNext(suite);
    await remove(alice, fresh.jobId);
  });
});

describe('DeleteJob NOT_FOUND and PERMISSION_DENIED', () => {
  it('knows no such job, nor one that is deleted already', async () => {
    const { jobId } = await submit();
    await cancel(jobId);
    await remove(alice, jobId);
    for (const id of [jobId, 'no-such-job']) {
      await expect(remove(alice, id)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
    }
  });

  it("refuses another user's job, and leaves it", async () => {
    const { jobId } = await submit();
    await cancel(jobId);
    await expect(remove(bob, jobId)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
    const job = await findJob(gateway, alice, jobId);
    expect(job?.state).toBe(jobs.State.STATE_CANCELED);
  });
});
