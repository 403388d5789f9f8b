import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs, jobsOperator } from '@tally/contracts';
import { type ClientOf, createGrpcClient, withContext } from '@tally/service-kit';
import { testCallerToken, waitFor } from '@tally/testkit';
import { type BatchSuite, openBatchSuite } from '../../batch-suite.js';
import { projectsOf } from '../../projects.js';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, type Copy, claimTaskOf, mergeNext, submission } from '../../suite.js';

type Operator = ClientOf<typeof jobsOperator.JobsOperatorServiceService> & { close(): void };
const { STATE_CANCELED, STATE_COMPLETED, STATE_RUNNING } = jobs.State;
const { RESOURCE_KIND_JOB: JOB, RESOURCE_KIND_PROJECT: PROJECT } = jobs.ResourceKind;
const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
const FOREIGN = { reason: 'JOB_OF_ANOTHER_USER' };

let batch: BatchSuite;
let suite: BatchSuite['suite'];
let gateway: BatchSuite['gateway'];
let runner: BatchSuite['runner'];
let operator: Operator;
let strict: Operator;
const clients: Operator[] = [];
const operatorOf = (copy: Copy): Operator => {
  const client = createGrpcClient(jobsOperator.JobsOperatorServiceService, {
    target: `127.0.0.1:${copy.port}`,
    caller: 'gateway',
    token: testCallerToken('gateway'),
    timeoutMs: 60_000,
  });
  clients.push(client);
  return client;
};
beforeAll(async () => {
  batch = await openBatchSuite();
  ({ suite, gateway, runner } = batch);
  const copy = { batchBridgeAddress: batch.bridge.address, sweepIntervalMs: 50 };
  operator = operatorOf(await suite.start(copy));
  strict = operatorOf(await suite.start({ ...copy, openJobsPerUserMax: 2, projectsPerUserMax: 1 }));
});
afterAll(async () => {
  for (const client of clients) client.close();
  await batch.stop();
});

const asOperator = <T>(work: () => Promise<T>) =>
  withContext({ requestId: 'of an operator', userId: 9n, actingRole: 'operator' }, work);
const give = (ownerId: bigint, newOwnerId: bigint, by = operator) =>
  asOperator(() => by.updateOwner({ ownerId, newOwnerId }));
const submit = async (ownerId: bigint, changes: Partial<jobs.Submission> = {}) =>
  (await as(ownerId, () => gateway.submitJob(submission(changes)))).jobId;
const isGiven = (jobId: string, newOwnerId: bigint) =>
  waitFor(() => findJob(gateway, newOwnerId, jobId).catch(() => undefined), { what: 'the job of the new owner' });
const cpuMsOf = async (ownerId: bigint) => {
  const text = 'SELECT coalesce(sum(cpu_ms), 0)::float8 AS ms FROM usage_entries WHERE owner_id = $1';
  return (await suite.sql<{ ms: number }>(text, [String(ownerId)]))[0]?.ms;
};
const complete = async (jobId: string, seconds: bigint) => {
  const { attemptId, order } = await claimTaskOf(jobId, suite.queue, runner);
  return () =>
    runner.reportTaskEnd({
      attemptId,
      outcome: { $case: 'completed', value: { simulatedPrimaries: order.primaries } },
      processorTime: { seconds, nanos: 0 },
    });
};

describe('UpdateOwner', () => {
  it('gives ended and running jobs with their labels; usage of before stays, and that from then on is of the new owner', async () => {
    const [leaver, heir] = [31n, 32n];
    const ended = await submit(leaver);
    await (await complete(ended, 3n))();
    await mergeNext(suite, { jobId: ended });
    const labels = { jobId: ended, addedTags: ['thesis'], removedTags: [], note: 'keep', isFavourite: true };
    await as(leaver, () => gateway.updateJobLabels(labels));
    const running = await submit(leaver);
    const end = await complete(running, 5n);
    const waiting = await submit(leaver);
    const events = await suite.sql('SELECT 1 FROM job_events WHERE owner_id = $1', [String(heir)]);
    expect(events).toEqual([]);

    expect(await give(leaver, heir)).toMatchObject({ jobCount: 3, projectCount: 0, excesses: [] });
    for (const jobId of [ended, running, waiting]) {
      await isGiven(jobId, heir);
      await expect(as(leaver, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }))).rejects.toMatchObject(
        FOREIGN,
      );
    }
    expect(await findJob(gateway, heir, ended)).toMatchObject({
      state: STATE_COMPLETED,
      labels: { tags: ['thesis'], note: 'keep', isFavourite: true },
    });
    expect((await findJob(gateway, heir, running)).state).toBe(STATE_RUNNING);
    // each copy may have told it
    const asked = { jobIds: [ended, running, waiting], ownerId: leaver, newOwnerId: heir };
    expect(new Set(suite.results.handed.map((one) => JSON.stringify(one, text)))).toEqual(
      new Set([JSON.stringify(asked, text)]),
    );
    const told = await suite.sql('SELECT job_id FROM job_events WHERE owner_id = $1 ORDER BY id', [String(heir)]);
    expect(told.map(({ job_id: jobId }) => jobId as string)).toEqual([ended, running, waiting]);

    await end();
    await mergeNext(suite, { jobId: running });
    expect([await cpuMsOf(leaver), await cpuMsOf(heir)]).toEqual([3_000, 5_000]);
    const last = await complete(waiting, 0n);
    await last();
    await mergeNext(suite, { jobId: waiting });
    expect((await findJob(gateway, heir, waiting)).state).toBe(STATE_COMPLETED);
  });

  it('gives projects; shares with users and groups stay, links and what was shared with him end', async () => {
    const [leaver, heir, reader, other] = [41n, 42n, 43n, 44n];
    const jobId = await submit(leaver);
    const projectId = await projectsOf(gateway, leaver).create({ json: '{"project":{"title":"Bone"}}' });
    const theirs = await submit(other);
    const things = [
      { kind: JOB, id: jobId },
      { kind: PROJECT, id: projectId },
    ];
    const expireTime = new Date(Date.now() + 3_600_000);
    const tokens: string[] = [];
    for (const resource of things) {
      for (const value of [reader, heir]) {
        await as(leaver, () => gateway.createShare({ resource, subject: { $case: 'userId', value } }));
      }
      const link = { resource, subject: { $case: 'link', value: true } as const, expireTime };
      tokens.push((await as(leaver, () => gateway.createShare(link))).linkToken);
    }
    const shared = { resource: { kind: JOB, id: theirs }, subject: { $case: 'userId', value: leaver } as const };
    await as(other, () => gateway.createShare(shared));

    expect(await give(leaver, heir)).toMatchObject({ jobCount: 1, projectCount: 1 });
    await isGiven(jobId, heir);
    await waitFor(async () => (await projectsOf(gateway, heir).page()).page?.projects.length === 1, {
      what: 'the project',
    });
    for (const resource of things) {
      const { shares } = await as(heir, () => gateway.listShares({ resource }));
      expect(shares.map(({ subject }) => subject)).toEqual([{ $case: 'userId', value: reader }]);
      const access = await as(reader, () =>
        gateway.getAccess({ resource, action: jobs.AccessAction.ACCESS_ACTION_READ, linkToken: '' }),
      );
      expect(access.ownerId).toBe(heir);
    }
    for (const linkToken of tokens) {
      await expect(gateway.getShareLink({ linkToken })).rejects.toMatchObject({ reason: 'SHARE_LINK_INVALID' });
    }
    const gone = async () => (await suite.sql("SELECT 1 FROM shares WHERE subject = 'user:41'")).length === 0;
    await waitFor(gone, { what: 'the end of what was shared with him' });
    for (const [id, of] of [
      [heir, jobId],
      [other, theirs],
    ] as const)
      await as(id, () => gateway.cancelJob({ jobId: of, platform: ANY_PLATFORM }));
  });

  it('goes on after results was away, or its answer was lost, and removes nothing that a late request asks to remove', async () => {
    const [leaver, heir] = [51n, 52n];
    const jobId = await submit(leaver);
    suite.results.setDown(true);
    await give(leaver, heir);
    // a copy that dies between the answer of results and its own change leaves the same: results has it, and jobs has not
    const tries = suite.results.handed.length;
    suite.results.onHand = async () => {
      throw new Error('the answer is lost');
    };
    suite.results.setDown(false);
    await waitFor(() => suite.results.handed.length > tries, { what: 'a hand-over that jobs does not hear of' });
    expect((await findJob(gateway, leaver, jobId)).jobId).toBe(jobId);
    await asOperator(() => operator.deleteOwner({ ownerId: leaver, isKept: false }));
    suite.results.onHand = async () => {};
    await isGiven(jobId, heir);
    const late = await submit(leaver);
    await isGiven(late, heir);
    for (const id of [jobId, late]) await as(heir, () => gateway.cancelJob({ jobId: id, platform: ANY_PLATFORM }));
  });

  it('cancels what is open on clusters under his account there, and gives it', async () => {
    const [leaver, heir] = [61n, 62n];
    const jobId = await submit(leaver, { platform: jobs.Platform.PLATFORM_BATCH });
    await give(leaver, heir);
    await isGiven(jobId, heir);
    expect((await findJob(gateway, heir, jobId)).state).toBe(STATE_CANCELED);
  });

  it('says above which quotas the new owner is then', async () => {
    const [leaver, heir] = [71n, 72n];
    const ids = [await submit(leaver), await submit(leaver), await submit(heir)];
    for (const owner of [leaver, heir]) await projectsOf(gateway, owner).create({});
    const none = { groupId: '', processorSecondsMonth: undefined, runningTasks: undefined };
    await asOperator(() => operator.updateQuota({ quota: { ...none, userId: heir, storedBytes: 5n } }));
    expect(await give(leaver, heir, strict)).toEqual({
      jobCount: 2,
      projectCount: 1,
      excesses: [
        { name: 'open_jobs_per_user_max', limit: 2, used: 3 },
        { name: 'projects_per_user_max', limit: 1, used: 2 },
      ],
      storedBytesMax: 5n,
    });
    for (const jobId of ids) {
      await isGiven(jobId, heir);
      await as(heir, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    }
  });

  it('is from one user to another', async () => {
    for (const [ownerId, newOwnerId] of [
      [0n, 1n],
      [1n, 0n],
      [1n, 1n],
    ] as const) {
      await expect(give(ownerId, newOwnerId)).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
    }
  });
});
