import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ANY_PLATFORM, as, claimTaskOf, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const [alice, bob] = [1n, 2n];
const { PLATFORM_DIRECT, PLATFORM_BATCH } = jobs.Platform;

const submit = async (userId: bigint, taskCount = 1) =>
  (await as(userId, () => gateway.submitJob(submission({ taskCount })))).jobId;
const ofJob = (userId: bigint, jobId: string, platform = ANY_PLATFORM): jobs.VersionQuery => {
  return { userId, what: { $case: 'job', value: { jobId, platform } } };
};
const page = (overrides: Partial<jobs.ListJobsRequest> = {}): jobs.ListJobsRequest => {
  const order = jobs.JobOrder.JOB_ORDER_UNSPECIFIED;
  return { pageSize: 6, pageIndex: 1, order, isAscending: false, states: [], ...overrides };
};
const ofPage = (userId: bigint, overrides: Partial<jobs.ListJobsRequest> = {}): jobs.VersionQuery => {
  return { userId, what: { $case: 'page', value: page(overrides) } };
};
const versionsOf = async (...queries: jobs.VersionQuery[]) => (await gateway.getVersions({ queries })).versions;

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('GetVersions OK', () => {
  it('says of each job and page what GetJob and ListJobs say, in the order of the queries', async () => {
    const own = [await submit(alice, 2), await submit(alice), await submit(alice)] as const;
    const foreign = await submit(bob);
    const jobVersion = async (userId: bigint, jobId: string) => {
      const asked = { jobId, platform: ANY_PLATFORM, knownVersion: '' };
      return (await as(userId, () => gateway.getJob(asked))).version;
    };
    const pageVersion = async (userId: bigint, overrides = {}) =>
      (await as(userId, () => gateway.listJobs(page(overrides)))).version;
    const first = { pageSize: 1 };
    const upwards = { isAscending: true };
    const pending = { states: [jobs.State.STATE_PENDING] };
    const byEnd = { order: jobs.JobOrder.JOB_ORDER_END_TIME };
    const [one, two, three] = own;
    const versions = await versionsOf(
      ofPage(alice), ofJob(alice, two), ofJob(bob, foreign), ofPage(alice, first), ofJob(alice, one, PLATFORM_DIRECT),
      ofPage(alice, upwards), ofPage(alice, pending), ofPage(alice, byEnd), ofJob(alice, three), ofPage(bob), ofJob(alice, two),
    ); // biome-ignore format: a list
    expect(versions).toEqual([
      await pageVersion(alice), await jobVersion(alice, two), await jobVersion(bob, foreign),
      await pageVersion(alice, first), await jobVersion(alice, one), await pageVersion(alice, upwards),
      await pageVersion(alice, pending), await pageVersion(alice, byEnd), await jobVersion(alice, three),
      await pageVersion(bob), await jobVersion(alice, two),
    ]); // biome-ignore format: a list
    for (const version of versions) expect(version).toMatch(/^[\w-]{1,100}$/);
    expect(await versionsOf()).toEqual([]);
  });

  it('has another one after every change of a job', async () => {
    const jobId = await submit(alice, 2);
    const seen: string[] = [];
    const seeNew = async () => {
      const [version = ''] = await versionsOf(ofJob(alice, jobId));
      expect(version).not.toBe('');
      expect(seen).not.toContain(version);
      seen.push(version);
      expect(await versionsOf(ofJob(alice, jobId))).toEqual([version]);
    };
    await seeNew();
    const { attemptId } = await claimTaskOf(jobId, suite.queue, runner);
    await seeNew();
    await runner.reportTask({ attemptId, simulatedPrimaries: 7n });
    await seeNew();
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'released', value: {} } });
    await seeNew();
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await seeNew();
  });

  it('has another one after every change of a page, and of the number of jobs', async () => {
    const owner = 5n;
    let last: string | undefined;
    const seeNew = async (overrides: Partial<jobs.ListJobsRequest> = {}) => {
      const [version] = await versionsOf(ofPage(owner, overrides));
      expect(version).not.toBe(last);
      last = version;
    };
    await seeNew();
    await submit(owner);
    await seeNew();
    const second = await submit(owner);
    await seeNew();
    await as(owner, () => gateway.cancelJob({ jobId: second, platform: ANY_PLATFORM }));
    await seeNew();
    await as(owner, () => gateway.deleteJob({ jobId: second }));
    await seeNew();
    const first = { isAscending: true, pageSize: 1 };
    [last] = await versionsOf(ofPage(owner, first));
    await submit(owner); // which is not on that page
    await seeNew(first);
  });

  it("is empty for another user's job, one that runs elsewhere or is not there, and pages that are far", async () => {
    const jobId = await submit(alice);
    const asked = [
      ofJob(bob, jobId),
      ofJob(alice, jobId, PLATFORM_BATCH),
      ofJob(alice, 'no-such-job'),
      ofJob(alice, 'nul\0'),
    ];
    expect(await versionsOf(...asked, ofPage(alice, { pageIndex: 501, pageSize: 1 }))).toEqual(['', '', '', '', '']);
    const far = page({ pageIndex: 501, pageSize: 1 });
    expect((await as(alice, () => gateway.listJobs(far))).version).toBeUndefined();
    expect(await versionsOf(ofPage(alice, { pageIndex: 500, pageSize: 1 }))).not.toEqual(['']);
  });
});

describe('GetVersions INVALID_ARGUMENT', () => {
  it.each([
    ['a page of no job', ofPage(alice, { pageSize: 0 }), '/page_size'],
    ['a page before the first', ofPage(alice, { pageIndex: 0 }), '/page_idx'],
    ['nothing', { userId: alice, what: undefined }, '/queries'],
  ])('refuses %s', async (_what, query, field) => {
    await expect(versionsOf(query)).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field }] });
  });

  it('takes 1000 queries at most', async () => {
    const queries = Array.from({ length: 1_001 }, () => ofJob(alice, 'j'));
    expect(await versionsOf(...queries.slice(1))).toEqual(queries.slice(1).map(() => ''));
    await expect(versionsOf(...queries)).rejects.toMatchObject({ fields: [{ field: '/queries' }] });
  });
});

describe('GetVersions PERMISSION_DENIED', () => {
  it('is for the gateway', async () => {
    await expect(runner.getVersions({ queries: [] })).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
