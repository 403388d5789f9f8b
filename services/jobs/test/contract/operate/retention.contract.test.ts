import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs, jobsOperator } from '@tally/contracts';
import { type ClientOf, createGrpcClient, withContext } from '@tally/service-kit';
import { testCallerToken, waitFor } from '@tally/testkit';
import { type FakeAuth, startFakeAuth } from '../../fake-auth.js';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, type Copy, claimTaskOf, mergeNext, openSuite, type Suite, submission } from '../../suite.js';

type Operator = ClientOf<typeof jobsOperator.JobsOperatorServiceService> & { close(): void };
const { STATE_COMPLETED: COMPLETED, STATE_FAILED: FAILED, STATE_UNSPECIFIED: ANY } = jobs.State;
const { RETAINED_DATA_JOBS: JOBS, RETAINED_DATA_RESULTS: RESULTS, RETAINED_DATA_LOGS: LOGS } = jobs.RetainedData;

let suite: Suite;
let auth: FakeAuth;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
let operator: Operator;
let without: Operator;
const operatorOf = (copy: Copy): Operator =>
  createGrpcClient(jobsOperator.JobsOperatorServiceService, {
    target: `127.0.0.1:${copy.port}`,
    caller: 'gateway',
    token: testCallerToken('gateway'),
    timeoutMs: 60_000,
  });
beforeAll(async () => {
  [suite, auth] = await Promise.all([openSuite(), startFakeAuth()]);
  const bounds = { retentionIntervalMs: 50, sweepIntervalMs: 50 };
  operator = operatorOf(await suite.start({ authAddress: auth.address, ...bounds }));
  without = operatorOf(await suite.start({ ...bounds }));
  [gateway, runner] = [suite.client('gateway'), suite.client('direct-runner')];
});
afterEach(async () => {
  auth.isDown = false;
  await set([]);
});
afterAll(async () => {
  for (const client of [operator, without]) client?.close();
  await suite.stop();
  await auth.stop();
});

const asOperator = <T>(work: () => Promise<T>) =>
  withContext({ requestId: 'of an operator', userId: 9n, actingRole: 'operator' }, work);
const rule = (data: jobs.RetainedData, state: jobs.State, afterDays: number) => ({ data, state, afterDays });
type Rules = readonly jobsOperator.RetentionRule[];
const set = (rules: Rules, warningDays = 14, by = operator) =>
  asOperator(() => by.updateRetention({ retention: { rules: [...rules], warningDays } }));
const look = (rules?: Rules, days = 14) =>
  asOperator(() => operator.getRetention({ retention: rules && { rules: [...rules], warningDays: 14 }, days }));
const listed = async (rules?: Rules, days?: number) =>
  (await look(rules, days)).removals.map(({ jobId, data }) => `${jobId} ${data}`).toSorted();
/** Days go by for the rules. */
const pass = (days: number) => suite.sql(`UPDATE retention_rules SET set_at = set_at - ${days} * interval '1 day'`);

async function ended(ownerId: bigint, daysAgo: number, state = COMPLETED): Promise<string> {
  const { jobId } = await as(ownerId, () => gateway.submitJob(submission()));
  const { attemptId, order } = await claimTaskOf(jobId, suite.queue, runner);
  const failed = { reason: 'SIMULATOR_FAILED', message: 'code 3', isRetryable: false };
  const outcome: jobs.TaskEnd['outcome'] =
    state === FAILED
      ? { $case: 'failed', value: failed }
      : { $case: 'completed', value: { simulatedPrimaries: order.primaries } };
  await runner.reportTaskEnd({ attemptId, outcome });
  if (state === COMPLETED) await mergeNext(suite, { jobId });
  await suite.sql(`UPDATE jobs SET closed_at = now() - ${daysAgo} * interval '1 day' WHERE job_id = $1`, [jobId]);
  return jobId;
}
const label = (ownerId: bigint, jobId: string, change: Partial<jobs.UpdateJobLabelsRequest>) =>
  as(ownerId, () => gateway.updateJobLabels({ jobId, addedTags: [], removedTags: [], ...change }));
const removalsOf = (ownerId: bigint, jobId = '') => as(ownerId, () => gateway.listRemovals({ jobId }));

describe('rules of retention', () => {
  it('remove what the dry run has said, when the owner has been warned, and nothing newer, running or kept', async () => {
    const [alice, bob] = [1n, 2n];
    const [old, recent, failed] = [await ended(alice, 40), await ended(alice, 0), await ended(alice, 20, FAILED)];
    const [favourite, tagged] = [await ended(alice, 400), await ended(alice, 400, FAILED)];
    await label(alice, favourite, { isFavourite: true });
    await label(alice, tagged, { addedTags: ['keep'] });
    const ofBob = await ended(bob, 40);
    const running = (await as(alice, () => gateway.submitJob(submission()))).jobId;
    const rules = [rule(JOBS, FAILED, 10), rule(RESULTS, ANY, 30), rule(LOGS, ANY, 15)];
    // the logs of the failed job go with it
    const expected = [old, ofBob].flatMap((id) => [`${id} ${RESULTS}`, `${id} ${LOGS}`]);
    const all = [...expected, `${failed} ${JOBS}`].toSorted();

    expect(await listed(rules)).toEqual(all);
    expect(await listed()).toEqual([]);
    await set(rules);
    const held = await look();
    expect(held.removals.map(({ jobId, data }) => `${jobId} ${data}`).toSorted()).toEqual(all);
    const sums = held.sums.map(({ rule: of, jobCount, ownerCount }) => `${of?.data} ${jobCount} ${ownerCount}`);
    expect(sums.toSorted()).toEqual([`${JOBS} 1 1`, `${RESULTS} 2 2`, `${LOGS} 2 2`]);
    const inDays = (held.removals[0]?.removeTime?.getTime() ?? 0) - Date.now();
    expect(inDays / 86_400_000).toBeCloseTo(14, 1);
    expect((await removalsOf(bob)).removals.map(({ jobId }) => jobId)).toEqual([ofBob, ofBob]);
    await waitFor(() => auth.notices.length >= 2, { what: 'the warnings' });
    expect(new Set(auth.notices.map(({ userId }) => userId))).toEqual(new Set([alice, bob]));
    expect(auth.notices[0]?.paragraphs.join()).toContain('3 jobs of yours, or their results or logs, are removed');

    auth.isDown = true; // without the trail nothing goes
    await pass(15);
    expect(await listed(undefined, 0)).toEqual(all);
    await expect(findJob(gateway, alice, failed)).resolves.toMatchObject({ jobId: failed });
    expect(suite.results.trimmed).toEqual([]);
    auth.isDown = false;
    await waitFor(async () => (await listed(undefined, 0)).length === 0, { what: 'the removals' });
    const done = () => suite.results.trimmed.length === expected.length && suite.results.deleted.includes(failed);
    await waitFor(done, { what: 'the removal in results' });
    expect(
      suite.results.trimmed.map(({ jobId, hasResults }) => `${jobId} ${hasResults ? RESULTS : LOGS}`).toSorted(),
    ).toEqual(expected.toSorted());
    await expect(findJob(gateway, alice, failed)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    for (const jobId of [old, recent, favourite, tagged, running]) await findJob(gateway, alice, jobId);
    expect(suite.results.deleted).toEqual([failed]);
    const trail = auth.trail.map(({ action, target, reason }) => `${action} ${target} ${reason}`);
    expect(trail).toContain(
      `retention.remove user=1 jobs ${failed} 10 days after the end of a job it goes with all that it has`,
    );
    expect(trail.join()).toContain(`user=2 results of jobs ${ofBob}`);
    const told = await removalsOf(alice, old);
    expect([told.resultsRemoveTime, told.logsRemoveTime]).toEqual([expect.any(Date), expect.any(Date)]);
    await as(alice, () => gateway.cancelJob({ jobId: running, platform: ANY_PLATFORM }));
  });

  it('let nothing be added to results that are gone', async () => {
    const jobId = await ended(3n, 40);
    await set([rule(RESULTS, ANY, 30)]);
    await pass(15);
    await waitFor(async () => (await removalsOf(3n, jobId)).resultsRemoveTime, { what: 'the removal' });
    const extend = { jobId, platform: ANY_PLATFORM, primaries: 10n, idempotencyKey: '' };
    await expect(as(3n, () => gateway.extendJob(extend))).rejects.toMatchObject({
      reason: 'JOB_NOT_EXTENDABLE',
      message: expect.stringContaining('a rule of retention'),
    });
    await expect(asOperator(() => operator.mergeAnyJob({ jobId }))).rejects.toMatchObject({
      reason: 'JOB_NOT_MERGEABLE',
      message: expect.stringContaining('A rule of retention'),
    });
    await expect(asOperator(() => operator.retryAnyJob({ jobId }))).rejects.toMatchObject({
      reason: 'JOB_NOT_RETRYABLE',
    });
    expect((await findJob(gateway, 3n, jobId)).state).toBe(COMPLETED);
  });

  it('warn anew after each change, and when a job is kept no longer', async () => {
    const jobId = await ended(4n, 400);
    await label(4n, jobId, { isFavourite: true });
    await set([rule(JOBS, ANY, 100)], 10);
    await pass(300);
    expect(await listed()).not.toContain(`${jobId} ${JOBS}`);
    await label(4n, jobId, { isFavourite: false });
    expect((await removalsOf(4n, jobId)).removals).toMatchObject([{ data: JOBS }]);
    const inDays = async () =>
      ((await removalsOf(4n, jobId)).removals[0]?.removeTime?.getTime() ?? 0) / 86_400_000 - Date.now() / 86_400_000;
    expect(await inDays()).toBeCloseTo(10, 1);
    await set([rule(JOBS, ANY, 100)], 10); // the same rules
    expect((await look()).setTime?.getTime()).toBeLessThan(Date.now() - 299 * 86_400_000);
    await set([rule(JOBS, ANY, 100), rule(JOBS, FAILED, 10)], 12);
    expect(await inDays()).toBeCloseTo(12, 1);
    await set([rule(JOBS, COMPLETED, 10_000), rule(JOBS, ANY, 1)], 1); // the rule for its state stands in place of that for any
    expect(await inDays()).toBeGreaterThan(9_000);
    await findJob(gateway, 4n, jobId);
  });
});

describe('UpdateRetention', () => {
  it.each([
    [[rule(JOBS, ANY, 0)], 14, '/rules/0/after_days'],
    [[rule(JOBS, ANY, 36_501)], 14, '/rules/0/after_days'],
    [[rule(JOBS, ANY, 1), rule(JOBS, ANY, 2)], 14, '/rules/1'],
    [[rule(jobs.RetainedData.RETAINED_DATA_UNSPECIFIED, ANY, 1)], 14, '/rules/0/data'],
    [[rule(JOBS, jobs.State.STATE_RUNNING, 1)], 14, '/rules/0/state'],
    [[rule(JOBS, ANY, 1)], 0, '/warning_days'],
    [[rule(JOBS, ANY, 1)], 366, '/warning_days'],
  ])('refuses rules that nobody can mean: %j, %d days of warning', async (rules, warningDays, field) => {
    await expect(set(rules, warningDays)).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field }] });
    expect((await look()).retention?.rules).toEqual([]);
  });

  it('refuses rules where the trail is out of reach', async () => {
    await expect(set([rule(JOBS, ANY, 1)], 14, without)).rejects.toMatchObject({ reason: 'RETENTION_UNAVAILABLE' });
  });
});

describe('ListRemovals', () => {
  it('is of the owner alone', async () => {
    const jobId = await ended(5n, 1);
    await expect(removalsOf(6n, jobId)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
    await expect(removalsOf(6n, 'none')).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});
