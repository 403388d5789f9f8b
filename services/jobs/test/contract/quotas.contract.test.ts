import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectWith } from '../project.js';
import {
  ANY_PLATFORM,
  as,
  claimTaskOf,
  mergeNext,
  openSuite,
  type SubmissionChanges,
  type Suite,
  submission,
} from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
beforeAll(async () => {
  suite = await openSuite();
  await suite.start({
    openJobsPerUserMax: 3,
    openTasksPerUserMax: 10,
    queuedPrimariesPerUserMax: 5_000,
    storedBytesPerUserMax: 1_000_000,
    conversionsAtOnceMax: 1,
    conversionsWaitingMax: 1,
  });
  [gateway, runner] = [suite.client('gateway'), suite.client('direct-runner')];
});
afterAll(() => suite.stop());

const submitAs = (user: bigint, overrides: SubmissionChanges = {}, primaries = 100) =>
  as(user, () => gateway.submitJob(submission(overrides, primaries)));
const refused = (message: string) => ({
  status: 'RESOURCE_EXHAUSTED',
  reason: 'QUOTA_EXCEEDED',
  message: expect.stringContaining(message),
});

describe('SubmitJob RESOURCE_EXHAUSTED', () => {
  it('above the open jobs of a user, exactly, also when they come at once, until one has ended', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => submitAs(1n)));
    const accepted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.jobId] : []));
    expect(accepted).toHaveLength(3);
    await expect(submitAs(1n)).rejects.toMatchObject(refused('3 jobs that have not ended'));
    await submitAs(2n);
    await as(1n, () => gateway.cancelJob({ jobId: accepted[0] ?? '', platform: ANY_PLATFORM }));
    await submitAs(1n);
  });

  it('above the open tasks or the waiting primaries of a user', async () => {
    await submitAs(3n, { taskCount: 6 });
    await expect(submitAs(3n, { taskCount: 5 })).rejects.toMatchObject(
      refused('10 tasks that have not ended, and have 6'),
    );
    await submitAs(3n, { taskCount: 4 }, 4_900);
    await expect(submitAs(4n, {}, 5_001)).rejects.toMatchObject(refused('5000 primaries that wait, and have 0'));
  });

  it('with the name of the quota in GET /limits, and tells results what a user may store', async () => {
    const { jobId } = await submitAs(6n, { taskCount: 10 });
    await expect(submitAs(6n)).rejects.toMatchObject(refused('(open_tasks_per_user_max of GET /limits)'));
    expect(suite.results.inputs.get(jobId)?.header).toMatchObject({ ownerStoredBytesMax: 1_000_000n });
  });

  it('leaves nothing of what was refused: its input goes, and its key may be used again', async () => {
    const [first, , third] = [await submitAs(5n), await submitAs(5n), await submitAs(5n)];
    const idempotencyKey = 'k-1';
    await expect(submitAs(5n, { idempotencyKey })).rejects.toMatchObject(refused('3 jobs'));
    for (const { jobId } of [first, third]) await as(5n, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    const again = await submitAs(5n, { idempotencyKey });
    expect(await submitAs(5n, { idempotencyKey })).toEqual(again);
  });

  it('while too many large projects are converted; small ones are taken all the same', async () => {
    const simDataJson = projectWith(10, (project) => Object.assign(project, { note: 'x'.repeat(3_000_000) }));
    const large = Promise.allSettled([11n, 12n, 13n, 14n].map((user) => submitAs(user, { simDataJson })));
    await submitAs(15n);
    const busy = (await large).filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as object);
    expect(busy).toMatchObject([{ reason: 'CONVERSIONS_BUSY' }, { reason: 'CONVERSIONS_BUSY' }]);
  });
});

/** Has the next task of a job carried out. */
async function completeTaskOf(jobId: string): Promise<void> {
  const { attemptId, order } = await claimTaskOf(jobId, suite.queue, runner);
  const value = { simulatedPrimaries: order.primaries };
  await runner.reportTaskEnd({ attemptId, outcome: { $case: 'completed', value } });
}

describe('What a user has is exact where it makes a difference', () => {
  it('of tasks that have ended, and of primaries that have begun', async () => {
    const { jobId } = await submitAs(21n, { taskCount: 10 }, 4_000);
    await completeTaskOf(jobId);
    await completeTaskOf(jobId);
    await claimTaskOf(jobId, suite.queue, runner);
    await submitAs(21n, { taskCount: 1 }, 2_100);
    await submitAs(21n, { taskCount: 1 });
    await expect(submitAs(21n)).rejects.toMatchObject(refused('3 jobs'));
    await as(21n, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await expect(submitAs(21n, {}, 2_801)).rejects.toMatchObject(refused('5000 primaries that wait, and have 2200'));
    await submitAs(21n, {}, 2_800);
  });

  it('of a job that was extended', async () => {
    const { jobId } = await submitAs(24n);
    await completeTaskOf(jobId);
    await mergeNext(suite, { jobId });
    const extension = { jobId, platform: ANY_PLATFORM, primaries: 4_950n, taskCount: 1, idempotencyKey: '' };
    await as(24n, () => gateway.extendJob(extension));
    await expect(submitAs(24n, {}, 51)).rejects.toMatchObject(refused('5000 primaries that wait, and have 4950'));
    await submitAs(24n, {}, 50);
  });

  it('of a job with a target, which counts with the most that it may have when it comes, and then with what it has', async () => {
    const target = { estimatorName: 'depth_dose', relativeError: 0.01, maxPrimaries: 5_001n };
    await expect(submitAs(25n, { target })).rejects.toMatchObject(refused('and have 0'));
    await submitAs(25n, { target: { ...target, maxPrimaries: 4_900n } });
    await expect(submitAs(25n, {}, 4_901)).rejects.toMatchObject(refused('and have 100'));
    await submitAs(25n, {}, 4_900);
  });
});

describe('GetQuotas OK', () => {
  it('tells the settings', async () => {
    expect(await gateway.getQuotas({})).toEqual({
      openJobsPerUserMax: 3n,
      openTasksPerUserMax: 10n,
      queuedPrimariesPerUserMax: 5_000n,
      runningTasksPerUserMax: 0n,
      storedBytesPerUserMax: 1_000_000n,
      projectsPerUserMax: 1_000n,
      projectBytesPerUserMax: 1_000_000_000n,
    });
  });
});
