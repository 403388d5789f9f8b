import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { jobs } from '@tally/contracts';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, claimNextTask, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const taskOf = async (jobId: string): Promise<jobs.Task | undefined> => (await findJob(gateway, alice, jobId)).tasks[0];
const start = async () => {
  const { jobId } = await as(alice, () => gateway.submitJob(submission()));
  return { jobId, ...(await claimNextTask(suite.queue, runner)) };
};

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('ExchangeTasks, progress: OK', () => {
  it('stores progress that never goes down and never above what is requested', async () => {
    const { jobId, attemptId } = await start();
    for (const [reported, shown] of [
      [10n, 10n],
      [300n, 300n],
      [200n, 300n],
      [-5n, 300n],
      [5_000n, 1_000n],
    ] as const) {
      expect(await runner.reportTask({ attemptId, simulatedPrimaries: reported })).toEqual({
        mustStop: false,
        mustFinish: false,
      });
      expect((await taskOf(jobId))?.simulatedPrimaries).toBe(shown);
    }
  });

  it('stores the estimate, and forgets it when it is not known any more', async () => {
    const { jobId, attemptId } = await start();
    await runner.reportTask({ attemptId, simulatedPrimaries: 1n, estimatedTime: { seconds: 90n, nanos: 600_000_000 } });
    expect((await taskOf(jobId))?.estimatedTime?.seconds).toBe(91n);
    await runner.reportTask({ attemptId, simulatedPrimaries: 1n, estimatedTime: { seconds: 10n ** 12n, nanos: 0 } });
    expect((await taskOf(jobId))?.estimatedTime?.seconds).toBe(2n ** 31n - 1n);
    await runner.reportTask({ attemptId, simulatedPrimaries: 2n });
    expect((await taskOf(jobId))?.estimatedTime).toBeUndefined();
  });

  it('renews the lease and the time of the last update', async () => {
    const { jobId, attemptId } = await start();
    await suite.sql("UPDATE attempts SET lease_expires_at = now() + interval '1 s' WHERE id = $1", [attemptId]);
    const before = await taskOf(jobId);
    await runner.reportTask({ attemptId, simulatedPrimaries: 1n });
    const renewed = await suite.sql(
      "SELECT 1 FROM attempts WHERE id = $1 AND lease_expires_at > now() + interval '5 s'",
      [attemptId],
    );
    expect(renewed).toHaveLength(1);
    const after = await taskOf(jobId);
    expect(after?.lastUpdateTime?.getTime()).toBeGreaterThan(before?.lastUpdateTime?.getTime() ?? Infinity);
  });
});

describe('ExchangeTasks, progress: must_stop', () => {
  it('tells a runner of a cancelled job to stop, and changes nothing', async () => {
    const { jobId, attemptId } = await start();
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    const before = await taskOf(jobId);
    expect(await runner.reportTask({ attemptId, simulatedPrimaries: 9n })).toEqual({
      mustStop: true,
      mustFinish: false,
    });
    expect(await taskOf(jobId)).toEqual(before);
  });

  it('tells a runner whose attempt was replaced to stop, and changes nothing', async () => {
    const { jobId, attemptId } = await start();
    const failed = { reason: 'X', message: 'x', isRetryable: true };
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'failed', value: failed } });
    await claimNextTask(suite.queue, runner, 'runner-2');
    expect(await runner.reportTask({ attemptId, simulatedPrimaries: 9n })).toEqual({
      mustStop: true,
      mustFinish: false,
    });
    expect((await taskOf(jobId))?.simulatedPrimaries).toBe(0n);
  });

  it('tells the runner of a deleted job, or of an attempt that never was, to stop', async () => {
    expect(await runner.reportTask({ attemptId: 'no-such-attempt', simulatedPrimaries: 9n })).toMatchObject({
      mustStop: true,
    });
  });
});
