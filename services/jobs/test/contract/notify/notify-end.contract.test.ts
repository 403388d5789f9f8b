import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { withContext } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { type FakeAuth, startFakeAuth } from '../../fake-auth.js';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, openSuite, type Suite, submission } from '../../suite.js';

const {
  SUBSCRIPTION_SCOPE_ALL: ALL,
  SUBSCRIPTION_SCOPE_JOB: JOB,
  SUBSCRIPTION_SCOPE_SWEEP: SWEEP,
  SUBSCRIPTION_SCOPE_GROUP: GROUP,
} = jobs.SubscriptionScope;
let suite: Suite;
let auth: FakeAuth;
let gateway: ReturnType<Suite['client']>;
let lastUser = 100n;
const newUser = () => ++lastUser;

beforeAll(async () => {
  suite = await openSuite();
  auth = await startFakeAuth();
  await suite.start({ authAddress: auth.address, sweepIntervalMs: 100, cleanUpIntervalMs: 100, dutyRetryMaxMs: 200 });
  gateway = suite.client('gateway');
});
afterAll(async () => {
  await suite.stop();
  await auth.stop();
});

const submit = async (userId: bigint, changes: Parameters<typeof submission>[0] = {}) =>
  (await as(userId, () => gateway.submitJob(submission(changes)))).jobId;
const cancel = (userId: bigint, jobId: string) =>
  as(userId, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
const put = (userId: bigint, change: Partial<jobs.Subscription>) =>
  as(userId, () =>
    gateway.putSubscription({ subscription: { scope: ALL, target: '', hasMail: true, hasWebhooks: false, ...change } }),
  );
const list = async (userId: bigint) => (await as(userId, () => gateway.listSubscriptions({}))).subscriptions;
const noticesOf = (userId: bigint) => auth.notices.filter((notice) => notice.userId === userId);
const dutiesOf = (jobId: string) => suite.sql("SELECT * FROM duties WHERE job_id = $1 AND kind = 'notify'", [jobId]);
const settled = (jobId: string) =>
  waitFor(async () => (await dutiesOf(jobId)).length === 0, { what: 'the end of the duty to tell' });

describe('the end of a job', () => {
  it('is told to its owner, who wants to be told of all jobs, of one job, or of both, once', async () => {
    const userId = newUser();
    const jobId = await submit(userId, { title: 'Water tank' });
    await put(userId, {});
    await put(userId, { scope: JOB, target: jobId });
    await cancel(userId, jobId);
    await settled(jobId);
    expect(noticesOf(userId)).toMatchObject([
      { subject: 'Water tank was cancelled', linkPath: `/console/jobs/${jobId}`, picture: Buffer.alloc(0) },
    ]);
  });

  it('stores no duty where nobody wants to be told, or not any more', async () => {
    const userId = newUser();
    const [first, second] = [await submit(userId), await submit(userId)];
    await put(newUser(), {});
    await cancel(userId, first);
    expect(await dutiesOf(first)).toEqual([]);
    await put(userId, {});
    await put(userId, { hasMail: false });
    await cancel(userId, second);
    expect(await dutiesOf(second)).toEqual([]);
    expect(noticesOf(userId)).toEqual([]);
  });

  it('is told with the same id again when auth was away', async () => {
    const userId = newUser();
    await put(userId, {});
    const jobId = await submit(userId);
    auth.isDown = true;
    await cancel(userId, jobId);
    await waitFor(async () => Number((await dutiesOf(jobId))[0]?.try_count) > 1, { what: 'a second try' });
    expect(noticesOf(userId)).toEqual([]);
    auth.isDown = false;
    await settled(jobId);
    expect(noticesOf(userId)).toHaveLength(1);
  });

  it('is not told of a job that was deleted meanwhile', async () => {
    const userId = newUser();
    await put(userId, {});
    const jobId = await submit(userId);
    auth.isDown = true;
    await cancel(userId, jobId);
    await as(userId, () => gateway.deleteJob({ jobId }));
    auth.isDown = false;
    await settled(jobId);
  });
});

describe('the end of a job of a group', () => {
  /** Calls of a user who is in a group. */
  const inGroup = <T>(userId: bigint, groupId: string, call: () => Promise<T>) =>
    withContext({ requestId: 'test', userId, userGroups: new Map([[groupId, 'viewer']]) }, call);
  const putGroup = (userId: bigint, groupId: string) => {
    const subscription = { scope: GROUP, target: groupId, hasMail: true, hasWebhooks: false };
    return inGroup(userId, groupId, () => gateway.putSubscription({ subscription }));
  };
  const join = (groupId: string, ...userIds: readonly bigint[]) => {
    for (const userId of userIds) auth.members.add(`${groupId} ${userId}`);
  };

  it('is told to members who want to be told, each once, and to nobody else', async () => {
    const [owner, member, silent] = [newUser(), newUser(), newUser()];
    join('g1', owner, member, silent);
    await putGroup(member, 'g1');
    await putGroup(owner, 'g1');
    await put(owner, {});
    const jobId = await inGroup(owner, 'g1', async () => {
      const accepted = await gateway.submitJob(submission({ title: 'Of all', groupId: 'g1' }));
      return accepted.jobId;
    });
    const alone = await submit(owner);
    await cancel(owner, jobId);
    await cancel(owner, alone);
    await settled(jobId);
    await settled(alone);
    expect(noticesOf(member)).toMatchObject([{ subject: 'Of all was cancelled', groupId: 'g1' }]);
    expect(noticesOf(owner).map(({ groupId }) => groupId)).toEqual(['', '']);
    expect(noticesOf(silent)).toEqual([]);
  });

  it('is not told to who has left, who is not told again without asking', async () => {
    const [owner, member] = [newUser(), newUser()];
    join('g2', member);
    await putGroup(member, 'g2');
    auth.members.delete(`g2 ${member}`);
    const end = async () => {
      const { jobId } = await inGroup(owner, 'g2', () => gateway.submitJob(submission({ groupId: 'g2' })));
      await cancel(owner, jobId);
      await settled(jobId);
    };
    await end();
    expect(noticesOf(member)).toEqual([]);
    join('g2', member);
    await end();
    expect(noticesOf(member)).toEqual([]);
    await putGroup(member, 'g2');
    await end();
    expect(noticesOf(member)).toHaveLength(1);
  });

  it('is told of a sweep once, with a way to the jobs of the group', async () => {
    const [owner, member] = [newUser(), newUser()];
    join('g3', member);
    await putGroup(member, 'g3');
    const ids: string[] = [];
    for (const energy of [70, 80]) {
      const change = { title: `Range [energy=${energy}]`, groupId: 'g3', sweep: { sweepId: 's-g', size: 2 } };
      ids.push((await inGroup(owner, 'g3', () => gateway.submitJob(submission(change)))).jobId);
    }
    for (const jobId of ids) {
      await cancel(owner, jobId);
      await settled(jobId);
    }
    expect(noticesOf(member)).toMatchObject([
      { subject: 'Sweep Range: 2 cancelled', linkPath: '/console/?view=group', groupId: 'g3' },
    ]);
  });

  it('is for members to ask for, and to see', async () => {
    const userId = newUser();
    const subscription = { scope: GROUP, target: 'g4', hasMail: true, hasWebhooks: false };
    await expect(inGroup(userId, 'g5', () => gateway.putSubscription({ subscription }))).rejects.toMatchObject({
      reason: 'REQUEST_INVALID',
      fields: [{ field: '/target' }],
    });
    await putGroup(userId, 'g4');
    const listed = await inGroup(userId, 'g4', () => gateway.listSubscriptions({}));
    expect(listed.subscriptions).toEqual([subscription]);
    expect(await list(userId)).toEqual([]);
  });
});

describe('the end of a sweep', () => {
  const sweepOf = (sweepId: string, size: number) => ({ sweep: { sweepId, size } });

  it('is told once, when its last job has ended, with the curves of its jobs', async () => {
    const userId = newUser();
    const ids: string[] = [];
    for (const energy of [70, 80, 90]) {
      ids.push(await submit(userId, { title: `Range [energy=${energy}]`, ...sweepOf('s-1', 3) }));
    }
    expect((await findJob(gateway, userId, ids[0] ?? '')).sweep).toEqual({ sweepId: 's-1', size: 3 });
    await put(userId, {});
    await put(userId, { scope: SWEEP, target: 's-1' });
    await suite.sql('UPDATE jobs SET merged_primaries = 5 WHERE job_id = ANY($1)', [ids]);
    await Promise.all(ids.slice(0, 2).map((jobId) => cancel(userId, jobId)));
    for (const jobId of ids.slice(0, 2)) await settled(jobId);
    expect(noticesOf(userId)).toEqual([]);
    await cancel(userId, ids[2] ?? '');
    await settled(ids[2] ?? '');
    const [notice, ...more] = noticesOf(userId);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ subject: 'Sweep Range: 3 cancelled', picture: Buffer.from('picture') });
    expect(notice?.paragraphs.join()).toContain('The 3 jobs of the sweep “Range” have ended');
    expect(suite.results.drawn.at(-1)).toMatchObject({ ownerId: userId, jobs: [{ label: 'energy=70' }, {}, {}] });
  });

  it('whose jobs end at once is told with one id', async () => {
    const userId = newUser();
    await put(userId, {});
    const ids = await Promise.all(Array.from({ length: 5 }, () => submit(userId, sweepOf('s-2', 5))));
    await Promise.all(ids.map((jobId) => cancel(userId, jobId)));
    for (const jobId of ids) await settled(jobId);
    expect(new Set(noticesOf(userId).map(({ noticeId }) => noticeId)).size).toBe(1);
  });

  it('that lacks a job is told after an hour without a change, and one of another user is another one', async () => {
    const [userId, other] = [newUser(), newUser()];
    await put(userId, {});
    await put(other, {});
    const jobId = await submit(userId, { title: 'Lonely', ...sweepOf('s-3', 2) });
    await submit(other, sweepOf('s-3', 2));
    await cancel(userId, jobId);
    await waitFor(async () => (await dutiesOf(jobId))[0]?.held_until === null, { what: 'a sweep that is waited for' });
    expect(noticesOf(userId)).toEqual([]);
    await suite.sql("UPDATE jobs SET closed_at = closed_at - interval '2 hours' WHERE job_id = $1", [jobId]);
    await suite.sql('UPDATE duties SET next_try_at = now() WHERE job_id = $1', [jobId]);
    await settled(jobId);
    expect(noticesOf(userId)).toMatchObject([{ subject: 'Sweep Lonely: 1 cancelled' }]);
    expect(noticesOf(userId)[0]?.paragraphs).toContain('1 of its 2 jobs were not submitted.');
    expect(noticesOf(other)).toEqual([]);
  });

  it('refuses an id or a size outside the limits', async () => {
    for (const [sweep, field] of [
      [{ sweepId: 'a b', size: 1 }, '/sweep/id'],
      [{ sweepId: 'x'.repeat(65), size: 1 }, '/sweep/id'],
      [{ sweepId: 'x', size: 0 }, '/sweep/size'],
      [{ sweepId: 'x', size: 10_001 }, '/sweep/size'],
    ] as const) {
      await expect(submit(1n, { sweep })).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', fields: [{ field }] });
    }
  });
});

describe('PutSubscription', () => {
  it('PERMISSION_DENIED, NOT_FOUND: of jobs that are not the user’s', async () => {
    const jobId = await submit(newUser());
    const target = { scope: JOB, target: jobId };
    await expect(put(newUser(), target)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
    await expect(put(newUser(), { scope: JOB, target: 'none' })).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });

  it('INVALID_ARGUMENT: for a target that is no id', async () => {
    for (const change of [
      { target: 'x' },
      { scope: SWEEP },
      { scope: SWEEP, target: 'a b' },
      { scope: jobs.SubscriptionScope.SUBSCRIPTION_SCOPE_UNSPECIFIED },
    ]) {
      await expect(put(newUser(), change)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT' });
    }
  });

  it('RESOURCE_EXHAUSTED: after a thousand, of which one may still be changed', async () => {
    const userId = newUser();
    await suite.sql(
      `INSERT INTO subscriptions (user_id, key, scope, target, has_mail, has_webhooks)
       SELECT $1::bigint, 'sweep:' || $1 || ':' || n, 'sweep', n::text, true, false FROM generate_series(1, 1000) n`,
      [String(userId)],
    );
    const full = { status: 'RESOURCE_EXHAUSTED', reason: 'SUBSCRIPTIONS_EXCEEDED' };
    await expect(put(userId, {})).rejects.toMatchObject(full);
    await put(userId, { scope: SWEEP, target: '7', hasWebhooks: true });
    expect((await list(userId)).find(({ target }) => target === '7')?.hasWebhooks).toBe(true);
  });

  it('is forgotten with its job', async () => {
    const userId = newUser();
    const jobId = await submit(userId);
    await put(userId, { scope: JOB, target: jobId });
    expect(await list(userId)).toHaveLength(1);
    await cancel(userId, jobId);
    await settled(jobId);
    await as(userId, () => gateway.deleteJob({ jobId }));
    await waitFor(async () => (await list(userId)).length === 0, { what: 'the clean-up' });
  });
});
