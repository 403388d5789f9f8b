import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs, jobsOperator } from '@tally/contracts';
import { type ClientOf, createGrpcClient, withContext } from '@tally/service-kit';
import { testCallerToken, waitFor } from '@tally/testkit';
import { projectsOf } from '../../projects.js';
import { as, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let operator: ClientOf<typeof jobsOperator.JobsOperatorServiceService> & { close(): void };
const [TEACHER, STRANGER] = [8n, 7n];
const [mira, anton, other] = [31n, 32n, 33n];
const GROUP = 'a'.repeat(16);
const NONE: Omit<jobsOperator.SubjectQuota, 'runningTasks'> = { userId: 0n, groupId: '' };
const asTeacher = <T>(work: () => Promise<T>) =>
  withContext({ requestId: 'of a teacher', userId: TEACHER, actingRole: 'teacher' }, work);
const update = (change: Partial<jobsOperator.UpdateStudentsRequest>) =>
  asTeacher(() => operator.updateStudents({ ownerIds: [mira, anton], groupId: '', projectIds: [], ...change }));
const list = (ownerIds: bigint[] = [mira, anton, other], groupIds: string[] = [GROUP]) =>
  asTeacher(() => operator.listStudents({ ownerIds, groupIds }));
const submit = (userId: bigint) => as(userId, () => gateway.submitJob(submission({ taskCount: 1 })));

beforeAll(async () => {
  suite = await openSuite();
  const copy = await suite.start();
  gateway = suite.client('gateway');
  operator = createGrpcClient(jobsOperator.JobsOperatorServiceService, {
    target: `127.0.0.1:${copy.port}`,
    caller: 'gateway',
    token: testCallerToken('gateway'),
    timeoutMs: 60_000,
  });
});
afterAll(async () => {
  operator?.close();
  await suite.stop();
});

describe('a teacher', () => {
  it('may call what concerns students, and nothing else of operators', async () => {
    for (const [name, { requestDeserialize }] of Object.entries(jobsOperator.JobsOperatorServiceService)) {
      const call = operator[name as 'listRunners'];
      const made = asTeacher(() => call(requestDeserialize(Buffer.alloc(0)) as never)).catch((err: unknown) => err);
      const isRefused = ((await made) as { reason?: string }).reason === 'ROLE_REQUIRED';
      expect([name, isRefused]).toEqual([name, !['updateStudents', 'listStudents'].includes(name)]);
    }
  });
});

describe('UpdateStudents', () => {
  it('gives each student a quota, in place of an earlier one, or takes it away; others keep theirs', async () => {
    await update({ quota: { ...NONE, processorSecondsMonth: 60, runningTasks: 2 } });
    const quotas = async () =>
      (await list()).students.map(({ ownerId, quota }) => [ownerId, quota?.processorSecondsMonth, quota?.runningTasks]);
    expect(await quotas()).toEqual([
      [mira, 60, 2],
      [anton, 60, 2],
    ]);
    await update({ quota: { ...NONE, runningTasks: 1 } });
    await update({}); // what is absent stays
    expect(await quotas()).toEqual([
      [mira, undefined, 1],
      [anton, undefined, 1],
    ]);
    await update({ quota: NONE });
    expect(await quotas()).toEqual([]);
    const wrong = update({ quota: { ...NONE, runningTasks: -1 } });
    await expect(wrong).rejects.toMatchObject({ fields: [{ field: '/running_tasks' }] });
  });

  it('holds a student to his quota from the next submission on', async () => {
    await update({ quota: { ...NONE, processorSecondsMonth: 1e-6 } });
    await suite.sql(
      "INSERT INTO usage_entries (owner_id, day, cluster, cpu_ms) VALUES (31, (now() AT TIME ZONE 'UTC')::date, '', 10)",
    );
    await expect(submit(mira)).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' });
    await submit(other);
    await update({ quota: NONE });
  });

  it('lets the group read projects of the teacher, and nobody change them', async () => {
    const own = await projectsOf(gateway, TEACHER).create({ json: '{"project":{"title":"Bone"}}' });
    const foreign = await projectsOf(gateway, STRANGER).create({ json: '{"project":{"title":"Lung"}}' });
    const refused = update({ groupId: GROUP, projectIds: [foreign] });
    await expect(refused).rejects.toMatchObject({ reason: 'PROJECT_OF_ANOTHER_USER' });
    await expect(update({ groupId: GROUP, projectIds: ['none'] })).rejects.toMatchObject({
      reason: 'PROJECT_NOT_FOUND',
    });
    for (let i = 0; i < 2; i++) await update({ groupId: GROUP, projectIds: [own] }); // a repeat changes nothing
    expect((await list()).templates).toMatchObject([{ groupId: GROUP, projectId: own, title: 'Bone' }]);
    const student = <T>(work: () => Promise<T>) =>
      withContext({ requestId: 'test', userId: mira, userGroups: new Map([[GROUP, 'member']]) }, work);
    const resource = { kind: jobs.ResourceKind.RESOURCE_KIND_PROJECT, id: own };
    const {
      ACCESS_ACTION_UNSPECIFIED: any,
      ACCESS_ACTION_READ: read,
      ACCESS_ACTION_CHANGE: change,
    } = jobs.AccessAction;
    const access = await student(() => gateway.getAccess({ resource, action: any, linkToken: '' }));
    expect(access).toMatchObject({ ownerId: TEACHER, actions: [read] });
    const wanted = student(() => gateway.getAccess({ resource, action: change, linkToken: '' }));
    await expect(wanted).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  });

  it('removes what students have, once due, with their quotas, or keeps it', async () => {
    await submit(mira);
    await submit(anton);
    await update({ removal: { dueTime: new Date(Date.now() + 3_600_000), isKept: false } });
    await update({ removal: { isKept: true } });
    expect(await suite.sql('SELECT 1 FROM leaving_owners')).toEqual([]);
    await update({ quota: { ...NONE, runningTasks: 3 } });
    await update({ ownerIds: [mira], removal: { isKept: false } });
    const found = async () =>
      (await list([mira, anton], [])).students.map(({ ownerId, jobCount }) => [ownerId, jobCount]);
    const gone = async () => (await found()).every(([ownerId]) => ownerId !== mira);
    await waitFor(gone, { what: 'the removal' });
    expect(await found()).toEqual([[anton, 1]]);
    expect((await list([other], [])).students).toMatchObject([{ jobCount: 1 }]);
  });

  it('names what is out of its bounds', async () => {
    await expect(update({ ownerIds: [] })).rejects.toMatchObject({ fields: [{ field: '/owner_ids' }] });
    await expect(update({ ownerIds: [0n] })).rejects.toMatchObject({ fields: [{ field: '/owner_ids' }] });
    const many = update({ groupId: GROUP, projectIds: Array.from({ length: 101 }, () => 'x') });
    await expect(many).rejects.toMatchObject({ fields: [{ field: '/templates' }] });
  });
});
