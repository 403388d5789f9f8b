import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ANY_PLATFORM, as, claimNextMerge, completeNextTask, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const startMerge = async () => {
  const { jobId } = await as(alice, () => gateway.submitJob(submission()));
  await completeNextTask(suite.queue, runner);
  return { jobId, ...(await claimNextMerge(suite.queue, runner)) };
};

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('ReportMerge OK', () => {
  it('renews the lease', async () => {
    const { mergeId } = await startMerge();
    await suite.sql("UPDATE merges SET lease_expires_at = now() + interval '1 s' WHERE id = $1", [mergeId]);
    expect(await runner.reportMerge({ mergeId, runnerId: 'runner-1' })).toEqual({ mustStop: false });
    const renewed = await suite.sql(
      "SELECT 1 FROM merges WHERE id = $1 AND lease_expires_at > now() + interval '5 s'",
      [mergeId],
    );
    expect(renewed).toHaveLength(1);
  });
});

describe('ReportMerge must_stop', () => {
  it('tells a runner to stop whose merge is cancelled, is not its own, or never was', async () => {
    const { jobId, mergeId } = await startMerge();
    expect(await runner.reportMerge({ mergeId, runnerId: 'runner-2' })).toEqual({ mustStop: true });
    expect(await runner.reportMerge({ mergeId: 'no-such-merge', runnerId: 'runner-1' })).toEqual({ mustStop: true });
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    expect(await runner.reportMerge({ mergeId, runnerId: 'runner-1' })).toEqual({ mustStop: true });
  });
});
