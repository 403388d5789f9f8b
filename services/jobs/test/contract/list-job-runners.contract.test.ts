import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, claimNextTask, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const [alice, bob] = [1n, 2n];

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

describe('ListJobRunners OK', () => {
  it('names the runners that have tasks of the job; before one has, none', async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission({ taskCount: 3 }, 101)));
    const list = () => as(alice, () => gateway.listJobRunners({ jobId }));
    expect(await list()).toEqual({ runners: [] });
    for (let i = 0; i < 2; i += 1) await claimNextTask(suite.queue, suite.client('direct-runner'));
    const { runners } = await list();
    expect(runners).toEqual([{ runnerId: expect.any(String), taskCount: 2 }]);
  });
});

describe('ListJobRunners PERMISSION_DENIED, NOT_FOUND', () => {
  it("tells nothing of another user's job, and nothing of none", async () => {
    const { jobId } = await as(alice, () => gateway.submitJob(submission()));
    await expect(as(bob, () => gateway.listJobRunners({ jobId }))).rejects.toMatchObject({
      reason: 'JOB_OF_ANOTHER_USER',
    });
    await expect(as(bob, () => gateway.listJobRunners({ jobId: 'nothing' }))).rejects.toMatchObject({
      reason: 'JOB_NOT_FOUND',
    });
  });
});
