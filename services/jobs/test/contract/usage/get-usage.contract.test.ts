import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { jobs } from '@tally/contracts';
import { withContext } from '@tally/service-kit';
import { setQuota } from '../../../src/domain/usage/set-quota.js';
import type { QuotaOverride, UsageSubject } from '../../../src/domain/usage/usage-ports.js';
import { createUsageStore } from '../../../src/storage/accounting/usage-store.js';
import { openDatabase } from '../../../src/storage/database.js';
import { as, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let database: ReturnType<typeof openDatabase>;
const [alice, bob] = [1n, 2n];
const NONE: QuotaOverride = { cpuSecondsMonth: null, storedBytes: null, runningTasks: null };
const set = (subject: UsageSubject, quota: Partial<QuotaOverride>) =>
  setQuota({ usage: createUsageStore(database) }, [subject], { ...NONE, ...quota });
const today = new Date().toISOString().slice(0, 10);
const ask = (
  userId: bigint,
  asked: Partial<jobs.GetUsageRequest> = {},
  userGroups: ReadonlyMap<string, string> = new Map(),
) =>
  withContext({ requestId: 'test', userId, userGroups }, () =>
    gateway.getUsage({ fromDay: today, toDay: today, groupId: '', ...asked }),
  );
const add = (ownerId: bigint, day: string, ms: number, groupId: string | null = null, cluster = '') =>
  suite.sql('INSERT INTO usage_entries (owner_id, group_id, day, cluster, cpu_ms) VALUES ($1, $2, $3, $4, $5)', [
    String(ownerId),
    groupId,
    day,
    cluster,
    ms,
  ]);

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ cleanUpIntervalMs: 20, runningTasksPerUserMax: 7 });
  gateway = suite.client('gateway');
  database = openDatabase(suite.database.url, 2);
});
afterAll(async () => {
  await database.close();
  await suite.stop();
});

describe('GetUsage OK', () => {
  it("tells a user's own days, by cluster, folded meanwhile or not, and nobody else's", async () => {
    for (let i = 0; i < 40; i++) await add(alice, '2026-03-01', 100);
    await add(alice, '2026-03-01', 500, null, 'north');
    await add(alice, '2026-03-02', 1);
    await add(bob, '2026-03-01', 9_999);
    const { entries, quotas } = await ask(alice, { fromDay: '2026-03-01', toDay: '2026-03-01' });
    expect(entries.map(({ ownerId, ...entry }) => [ownerId, entry.clusterName, entry.processorTime])).toEqual([
      [alice, '', { seconds: 4n, nanos: 0 }],
      [alice, 'north', { seconds: 0n, nanos: 500_000_000 }],
    ]);
    expect(quotas).toMatchObject([{ name: 'stored_bytes' }, { name: 'running_tasks', limit: 7, used: 0 }]);
  });

  it('tells the managers of a group what its jobs have used, by user', async () => {
    await add(alice, '2026-04-01', 1_000, 'a1');
    await add(bob, '2026-04-01', 2_000, 'a1');
    await add(bob, '2026-04-01', 4_000, 'b2');
    await set({ kind: 'group', groupId: 'a1' }, { cpuSecondsMonth: 60 });
    const asked = { fromDay: '2026-04-01', toDay: '2026-04-30', groupId: 'a1' };
    const { entries, quotas } = await ask(alice, asked, new Map([['a1', 'manager']]));
    expect(entries.map(({ ownerId, processorTime }) => [ownerId, processorTime?.seconds])).toEqual([
      [alice, 1n],
      [bob, 2n],
    ]);
    expect(quotas).toMatchObject([{ name: 'processor_seconds_month', limit: 60, used: 0 }]);
    await expect(ask(bob, asked, new Map([['a1', 'member']]))).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'GROUP_ROLE_MISSING',
    });
    await expect(ask(bob, asked)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'GROUP_NOT_FOUND' });
  });

  it.each([
    [{ fromDay: 'today' }, '/from'],
    [{ toDay: '2026-02-30' }, '/to'],
    [{ fromDay: '2026-02-02', toDay: '2026-02-01' }, '/to'],
    [{ fromDay: '2025-01-01', toDay: '2026-02-01' }, '/to'],
  ])('INVALID_ARGUMENT: %j', async (asked, field) => {
    await expect(ask(alice, asked)).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field }] });
  });
});

describe('a quota of a group on processor time', () => {
  it.each([
    ['/stored_bytes', { storedBytes: 1 }],
    ['/running_tasks', { runningTasks: 1 }],
  ])('INVALID_ARGUMENT: %s, which nothing would hold for a group', async (field, quota) => {
    await expect(set({ kind: 'group', groupId: 'd4' }, quota)).rejects.toMatchObject({
      reason: 'REQUEST_INVALID',
      fields: [{ field, message: 'is a quota of users, not of groups' }],
    });
  });

  it('refuses further jobs of the group alone, whoever submits them', async () => {
    const [dave, erin] = [4n, 5n];
    await set({ kind: 'group', groupId: 'c3' }, { cpuSecondsMonth: 10 });
    await add(dave, today, 20_000, 'c3');
    const submit = (userId: bigint, groupId?: string) =>
      withContext({ requestId: 'test', userId, userGroups: new Map([['c3', 'member']]) }, () =>
        gateway.submitJob(submission(groupId === undefined ? {} : { groupId })),
      );
    await submit(erin);
    await expect(submit(erin, 'c3')).rejects.toMatchObject({
      reason: 'QUOTA_EXCEEDED',
      message: expect.stringMatching(/^Your group may use 10 seconds of processor time a month, and has used 20;/),
    });
  });
});

describe('a quota on processor time', () => {
  it('refuses further jobs with what is used, what is allowed and when it begins anew, and takes them when it is raised', async () => {
    const carol = 3n;
    const subject: UsageSubject = { kind: 'user', userId: carol };
    await set(subject, { cpuSecondsMonth: 10 });
    await as(carol, () => gateway.submitJob(submission()));
    await add(carol, today, 10_500);
    await add(carol, '2026-01-01', 1e9);
    const month = new Date();
    const resets = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
    await expect(as(carol, () => gateway.submitJob(submission()))).rejects.toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      reason: 'QUOTA_EXCEEDED',
      message: `You may use 10 seconds of processor time a month, and have used 10; the next month begins on ${resets}, UTC (processor_seconds_month of GET /usage)`,
    });
    expect((await ask(carol)).quotas[0]).toMatchObject({ limit: 10, used: 10.5, resetTime: new Date(resets) });
    await set(subject, { cpuSecondsMonth: 11 });
    await as(carol, () => gateway.submitJob(submission()));
    await set(subject, {});
    expect(await suite.sql('SELECT 1 FROM quotas WHERE subject_id = $1', ['3'])).toEqual([]);
  });

  it.each([
    [{ cpuSecondsMonth: -1 }, '/processor_seconds_month'],
    [{ cpuSecondsMonth: Number.NaN }, '/processor_seconds_month'],
    [{ storedBytes: 0.5 }, '/stored_bytes'],
    [{ runningTasks: 1e9 }, '/running_tasks'],
  ])('is refused where it is none: %j', async (quota, field) => {
    await expect(set({ kind: 'user', userId: 9n }, quota)).rejects.toMatchObject({ fields: [{ field }] });
  });
});
