import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, authOperator, jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { readZip } from '@tally/testkit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const DAY_MS = 86_400_000;
const reason = 'a course';
const CLASS_ID = 'c'.repeat(16);
const GROUP_ID = 'd'.repeat(16);
const student = (userId: bigint, username: string): authOperator.ListedUser => ({
  user: { userId, username, provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' },
  createTime: new Date(0),
  state: authOperator.UserState.USER_STATE_ACTIVE,
  sessionCount: 0,
  tokenCount: 0,
  isOperator: false,
  lastLoginTime: undefined,
});
const listed = (more: Partial<authOperator.Class> = {}): authOperator.Class => ({
  classId: CLASS_ID,
  name: 'Dosimetry: 2026',
  groupId: GROUP_ID,
  createTime: new Date(0),
  endTime: new Date(DAY_MS),
  isDeletedAtEnd: false,
  isEnded: false,
  teacherName: 'ada',
  students: [student(21n, 'mira'), student(22n, 'Ännchen/..')],
  ...more,
});
const send = (method: string, path: string, json?: unknown, cookie = gateway.teacherCookie) =>
  gateway.send(method, path, { cookie, ...(json === undefined ? {} : { json }) });
/** The order in which services were called, and with what. */
const calls = () =>
  [...gateway.auth.calls, ...gateway.jobs.calls].filter(
    ({ rpc }) => !/^listSigning|^listEnded|OperatorAction$/.test(rpc),
  );

function answerAll(one = listed()) {
  Object.assign(gateway.auth.answers, {
    createOperatorAction: async () => ({ actionId: 5n }),
    reportOperatorAction: async () => ({}),
    prepareClass: async () => ({ classId: CLASS_ID, groupId: GROUP_ID, userIds: [21n, 22n] }),
    createClass: async () => ({ class: { ...one, students: [] }, invitations: [] }),
    listClasses: async () => ({ classes: [one] }),
    endClass: async () => ({ class: { ...one, isEnded: true }, endedIds: ['session-9'] }),
  });
  Object.assign(gateway.jobs.answers, { updateStudents: async () => ({}) });
}

const COURSE = {
  name: 'Dosimetry',
  usernames: ['mira', 'anton'],
  ends_at: new Date(Date.now() + DAY_MS).toISOString(),
  at_end: 'delete',
  quota: { processor_seconds_month: 3_600, running_tasks: 2 },
  templates: ['project-1'],
  reason,
};

describe('POST /admin/classes', () => {
  it('tells jobs once of all students before auth makes anybody who can log in', async () => {
    answerAll();
    const order: string[] = [];
    const note = (rpc: string, result: object) => async () => {
      order.push(rpc);
      return result as never;
    };
    gateway.auth.answers.prepareClass = note('prepare', { classId: CLASS_ID, groupId: GROUP_ID, userIds: [21n, 22n] });
    gateway.jobs.answers.updateStudents = note('jobs', {});
    gateway.auth.answers.createClass = note('create', { class: { ...listed(), students: [] }, invitations: [] });
    expect((await send('POST', '/admin/classes', COURSE)).status).toBe(200);
    expect(order).toEqual(['prepare', 'jobs', 'create']);
    const told = gateway.jobs.calls.find(({ rpc }) => rpc === 'updateStudents');
    expect(told?.context).toMatchObject({ userId: 7n, actingRole: 'teacher' });
    expect(told?.request).toEqual({
      ownerIds: [21n, 22n],
      quota: {
        userId: 0n,
        groupId: '',
        processorSecondsMonth: 3_600,
        storedBytes: undefined,
        runningTasks: 2,
      },
      removal: { dueTime: new Date(COURSE.ends_at), isKept: false },
      groupId: GROUP_ID,
      projectIds: ['project-1'],
    });
  });

  it('makes nothing where jobs refuses or is away', async () => {
    answerAll();
    gateway.jobs.answers.updateStudents = async () => {
      throw new ServiceError('jobs', 'PROJECT_NOT_FOUND', 'NOT_FOUND', 'There is no such project');
    };
    expect((await send('POST', '/admin/classes', COURSE)).status).toBe(404);
    expect(gateway.auth.calls.map(({ rpc }) => rpc)).not.toContain('createClass');
  });

  it('names a bound of a quota that is none', async () => {
    const reply = await send('POST', '/admin/classes', { ...COURSE, quota: { running_tasks: -1 } });
    expect([reply.status, reply.body.errors]).toMatchObject([400, [{ field: 'quota/running_tasks' }]]);
  });
});

describe('GET /admin/classes', () => {
  it('has what each student has, and the templates of each class', async () => {
    answerAll();
    const quota = { userId: 21n, groupId: '', runningTasks: 2 };
    gateway.jobs.answers.listStudents = async () => ({
      students: [{ ownerId: 21n, jobCount: 3, projectCount: 1, quota }],
      templates: [
        { groupId: GROUP_ID, projectId: 'p-1', title: 'Bone', shareId: 's-1' },
        { groupId: 'another', projectId: 'p-2', title: 'Lung', shareId: 's-2' },
      ],
    });
    const none = { processor_seconds_month: null, stored_bytes: null, running_tasks: null };
    expect((await send('GET', '/admin/classes')).body).toMatchObject({
      classes: [
        {
          teacher: 'ada',
          templates: [{ project_id: 'p-1', title: 'Bone', share_id: 's-1' }],
          students: [
            { user_id: 21, jobs: 3, projects: 1, quota: { ...none, running_tasks: 2 } },
            { user_id: 22, jobs: 0, projects: 0, quota: none },
          ],
        },
      ],
    });
  });
});

describe('what concerns one class', () => {
  it("is refused where auth does not know it among the teacher's, and jobs hears nothing", async () => {
    answerAll();
    gateway.auth.answers.listClasses = async () => {
      throw new ServiceError('auth', 'CLASS_NOT_FOUND', 'NOT_FOUND', 'There is no such class');
    };
    const replies = [
      await send('PUT', '/admin/classes/quota', { class_id: CLASS_ID, running_tasks: 1, reason }),
      await send('POST', '/admin/classes/end', { class_id: CLASS_ID, accounts: 'delete', reason }),
      await send('GET', `/admin/classes/export?class_id=${CLASS_ID}`),
    ];
    for (const { status, body } of replies) expect([status, body.code]).toEqual([404, 'CLASS_NOT_FOUND']);
    expect(gateway.jobs.calls.filter(({ rpc }) => rpc !== 'getAccess')).toEqual([]);
  });

  it('ends: jobs is told first, and sessions are refused at once', async () => {
    answerAll();
    const theirs = gateway.cookie({ sid: 'session-9' });
    const body = { class_id: CLASS_ID, accounts: 'delete', reason };
    expect((await send('POST', '/admin/classes/end', body)).body).toMatchObject({ ended: 1 });
    expect((await gateway.send('GET', '/auth/status', { cookie: theirs })).status).toBe(401);
    const removal = { dueTime: undefined, isKept: false };
    expect(calls().find(({ rpc }) => rpc === 'updateStudents')?.request).toMatchObject({
      ownerIds: [21n, 22n],
      removal,
    });
    expect(calls().find(({ rpc }) => rpc === 'endClass')?.request).toEqual({ classId: CLASS_ID, isDeleted: true });
  });

  it('keeps the work of a class that is only blocked, also one that was to be deleted', async () => {
    answerAll(listed({ isDeletedAtEnd: true }));
    await send('POST', '/admin/classes/end', { class_id: CLASS_ID, accounts: 'block', reason });
    const told = calls().find(({ rpc }) => rpc === 'updateStudents')?.request;
    expect(told).toMatchObject({ removal: { isKept: true }, quota: undefined });
  });
});

describe('GET /admin/classes/export', () => {
  const job = (jobId: string, state: jobs.State): jobs.Job =>
    jobs.Job.fromPartial({
      jobId,
      title: `=title of ${jobId}`,
      state,
      platform: jobs.Platform.PLATFORM_DIRECT,
      simulator: jobs.Simulator.SIMULATOR_SIM_A,
      inputType: jobs.InputType.INPUT_TYPE_EDITOR,
      startTime: new Date(0),
      ...(state === jobs.State.STATE_COMPLETED ? { endTime: new Date(1_000) } : {}),
    });
  const OWN = new Map([
    [21n, [job('job-1', jobs.State.STATE_COMPLETED), job('job-2', jobs.State.STATE_RUNNING)]],
    [22n, []],
  ]);
  const acting = (call: { readonly context: { readonly userId?: bigint } | undefined } | undefined) =>
    call?.context?.userId ?? 0n;
  const last = (of: typeof gateway.jobs | typeof gateway.results) => acting(of.calls.at(-1));

  function answerWork() {
    answerAll();
    Object.assign(gateway.jobs.answers, {
      listJobs: async () => ({ page: { jobs: OWN.get(last(gateway.jobs)) ?? [], jobCount: 2n }, version: 'v' }),
      getJob: async ({ jobId }: jobs.GetJobRequest) => ({
        job: OWN.get(21n)?.find((one) => one.jobId === jobId),
        tasks: jobs.TaskColumns.fromPartial({}),
        version: 'v',
      }),
      listJobRunners: async () => ({ runners: [] }),
      listProjects: async () => {
        const isMira = last(gateway.jobs) === 21n;
        const project = jobs.Project.fromPartial({
          projectId: '0123456789abcdef',
          title: 'My/first',
          createTime: new Date(0),
          updateTime: new Date(0),
        });
        return { page: { projects: isMira ? [project] : [], projectCount: 1n }, version: 'v' };
      },
      getProject: async () => ({ projectJson: Buffer.from('{"a":1}'), version: 'v' }),
    });
    gateway.results.answers.exportCrate = async function* ({ jobId, job: of }) {
      if (of?.endTime === undefined) {
        throw new ServiceError('results', 'JOB_NOT_ENDED', 'FAILED_PRECONDITION', 'The job has not ended');
      }
      yield { part: { $case: 'header' as const, value: { fileName: `${jobId}.crate.zip`, version: 'v' } } };
      for (const text of ['crate of ', jobId]) {
        yield { part: { $case: 'chunk' as const, value: Buffer.from(text) } };
      }
    };
  }
  const download = async () => {
    const path = `/admin/classes/export?class_id=${CLASS_ID}`;
    const reply = await fetch(`${gateway.url}${path}`, { headers: { Cookie: gateway.teacherCookie } });
    return { reply, files: reply.ok ? readZip(Buffer.from(await reply.arrayBuffer())) : new Map<string, Buffer>() };
  };

  it('has a folder for each student, also for who has no work, and says why a job has no file', async () => {
    answerWork();
    const { reply, files } = await download();
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="Dosimetry_2026.zip"');
    expect([...files.keys()]).toEqual([
      'README.md',
      'mira/jobs/job-1.crate.zip',
      'mira/projects/My_first-01234567.json',
      'mira/contents.csv',
      'Ännchen_../contents.csv',
    ]);
    expect(files.get('mira/jobs/job-1.crate.zip')?.toString()).toBe('crate of job-1');
    expect(files.get('mira/projects/My_first-01234567.json')?.toString()).toBe('{"a":1}');
    expect(files.get('mira/contents.csv')?.toString().split('\n')).toEqual([
      'kind,id,title,state,file,note',
      "job,job-1,'=title of job-1,COMPLETED,jobs/job-1.crate.zip,",
      "job,job-2,'=title of job-2,RUNNING,,The job has not ended",
      'project,0123456789abcdef,My/first,,projects/My_first-01234567.json,',
      '',
    ]);
    expect(files.get('Ännchen_../contents.csv')?.toString()).toBe('kind,id,title,state,file,note\n');
  });

  it('reads in the name of each student without the role, and logs have the teacher', async () => {
    answerWork();
    await download();
    for (const { rpc, context } of [...gateway.jobs.calls, ...gateway.results.calls]) {
      expect([rpc, [21n, 22n].includes(context?.userId ?? 0n), context?.readerId, context?.actingRole]).toEqual([
        rpc,
        true,
        7n,
        undefined,
      ]);
    }
  });

  it('is cut, never a whole-looking half, where a service goes away meanwhile', async () => {
    answerWork();
    gateway.jobs.answers.listProjects = async () => {
      throw new ServiceError('jobs', 'INTERNAL', 'INTERNAL', 'internal error');
    };
    const ends = await download().then(
      ({ reply }) => reply.status,
      () => 'cut',
    );
    expect([500, 'cut']).toContain(ends);
  });
});
