import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, authOperator, jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { ROUTES } from '../../src/http/routes/index.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const reason = 'it blocks the others';
const CANCEL = { job_id: 'job-1', reason };
const send = (method: string, path: string, json?: unknown) =>
  gateway.send(method, path, { cookie: gateway.operatorCookie, ...(json === undefined ? {} : { json }) });
const trail = () => gateway.auth.calls.filter(({ rpc }) => rpc.endsWith('OperatorAction'));
/** The trail takes everything. */
const takeActions = () =>
  Object.assign(gateway.auth.answers, {
    createOperatorAction: async () => ({ actionId: 5n }),
    reportOperatorAction: async () => ({}),
  });
const ACTION: authOperator.OperatorAction = {
  actionId: 7n,
  happenTime: new Date(0),
  operatorId: 9n,
  operatorName: 'root',
  action: 'jobs.cancel',
  target: 'job-1',
  reason: '=HYPERLINK("x"), or "so"',
  requestId: 'r-1',
  isChange: true,
  failure: '',
};

describe('what an operator does', () => {
  it('is in the trail before it is done, with who, what, target, reason and request, and goes to services in his role', async () => {
    takeActions();
    const order: string[] = [];
    gateway.auth.answers.createOperatorAction = async () => {
      order.push('trail');
      return { actionId: 5n };
    };
    gateway.jobs.answers.cancelAnyJob = async () => {
      order.push('cancel');
      return { state: jobs.State.STATE_CANCELED };
    };
    const reply = await send('POST', '/admin/jobs/cancel', CANCEL);
    expect(reply.body).toEqual({ message: 'Job canceled', job_state: 'CANCELED' });
    expect(order).toEqual(['trail', 'cancel']);
    const [entry] = trail();
    expect(entry?.request).toEqual({ action: 'jobs.cancel', target: 'job-1', reason, isChange: true });
    const requestId = reply.headers.get('x-request-id');
    for (const call of [entry, gateway.jobs.calls[0]]) {
      expect(call?.context).toMatchObject({ userId: 7n, actingRole: 'operator', requestId });
    }
  });

  it('is not done when the trail cannot be written', async () => {
    gateway.auth.answers.createOperatorAction = async () => {
      throw new ServiceError('auth', 'OPERATOR_REVOKED', 'PERMISSION_DENIED', 'You are no operator any more');
    };
    const reply = await send('POST', '/admin/jobs/cancel', CANCEL);
    expect([reply.status, reply.body.code]).toEqual([403, 'OPERATOR_REVOKED']);
    expect(gateway.jobs.calls).toEqual([]);
  });

  it('is told with its error when it fails', async () => {
    takeActions();
    gateway.jobs.answers.cancelAnyJob = async () => {
      throw new ServiceError('jobs', 'JOB_NOT_FOUND', 'NOT_FOUND', 'Job with provided ID does not exist');
    };
    expect((await send('POST', '/admin/jobs/cancel', CANCEL)).status).toBe(404);
    expect(trail()[1]?.request).toEqual({ actionId: 5n, failure: 'JOB_NOT_FOUND' });
  });

  it('needs a reason where it changes something', async () => {
    for (const wrong of [undefined, '', '  ', 'x'.repeat(501), 'two\nlines']) {
      const reply = await send('POST', '/admin/jobs/cancel', { job_id: 'job-1', reason: wrong });
      expect([reply.status, reply.body.errors]).toMatchObject([400, [{ field: expect.stringContaining('reason') }]]);
    }
    for (const route of ROUTES.filter(({ path, method }) => path.startsWith('/admin/') && method !== 'GET')) {
      expect(route.body?.safeParse({}).error?.issues.map(({ path }) => path.join())).toContain('reason');
    }
  });

  it('is for sessions alone: no API token will do, and an ordinary user calls nothing', async () => {
    const headers = { Authorization: `Bearer tly_${'a'.repeat(43)}` };
    gateway.auth.answers.getApiTokenOwner = async () => ({
      user: { userId: 7n, username: 'ada', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' },
      token: {
        tokenId: 'token-1',
        name: 'script',
        scopes: [auth.TokenScope.TOKEN_SCOPE_READ, auth.TokenScope.TOKEN_SCOPE_SUBMIT],
        createdAt: new Date(),
        expiresAt: new Date(Date.now() + 60_000),
        isEndedWithSessions: false,
      },
    });
    const reply = await gateway.send('GET', '/admin/jobs', { headers, cookie: gateway.operatorCookie });
    expect([reply.status, reply.body.code]).toEqual([403, 'TOKEN_SCOPE_MISSING']);
    const other = await gateway.send('GET', '/admin/jobs', { cookie: gateway.cookie({ role: 'king' }) });
    expect([other.status, other.body.code]).toEqual([403, 'ROLE_REQUIRED']);
    expect(trail()).toEqual([]);
  });
});

describe('GET /auth/status', () => {
  it('says who is an operator', async () => {
    expect((await send('GET', '/auth/status')).body).toMatchObject({ username: 'ada', role: 'operator' });
    expect((await gateway.send('GET', '/auth/status')).body).not.toHaveProperty('role');
  });
});

describe('POST /admin/users/block', () => {
  it('refuses what has ended at once, before auth lists it', async () => {
    takeActions();
    gateway.auth.answers.updateUserBlock = async () => ({ endedIds: ['session-9'] });
    const theirs = gateway.cookie({ sid: 'session-9' });
    expect((await gateway.send('GET', '/auth/status', { cookie: theirs })).status).toBe(200);
    const body = { user_id: 8, blocked: true, reason };
    expect((await send('POST', '/admin/users/block', body)).body).toMatchObject({ ended: 1 });
    expect((await gateway.send('GET', '/auth/status', { cookie: theirs })).status).toBe(401);
  });
});

describe('POST /admin/users/delete', () => {
  const ada = { userId: 8n, username: 'heir', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' };
  const heir = {
    user: ada,
    createTime: new Date(0),
    state: authOperator.UserState.USER_STATE_ACTIVE,
    sessionCount: 0,
    tokenCount: 0,
    isOperator: false,
  };
  const body = { user_id: 6, new_owner_id: 8, reason };

  it('gives all to another user, and says above which quotas he is then', async () => {
    takeActions();
    const order: string[] = [];
    gateway.auth.answers.listUsers = async ({ userIds, state }) => {
      order.push(`look at ${String(userIds)}, who is in state ${state}`);
      return { users: [heir], userCount: 1n };
    };
    gateway.results.answers.getStoredBytes = async () => ({ storedBytes: 40n });
    gateway.auth.answers.deleteUser = async () => {
      order.push('delete');
      return { endedIds: ['session-9'] };
    };
    gateway.jobs.answers.updateOwner = async (asked) => {
      order.push(`give ${asked.ownerId} to ${asked.newOwnerId}`);
      const excesses = [{ name: 'open_jobs_per_user_max', limit: 1, used: 2 }];
      return { jobCount: 2, projectCount: 1, excesses, storedBytesMax: 79n };
    };
    expect((await send('POST', '/admin/users/delete', body)).body).toEqual({
      message: 'User deleted; what he had is given to heir within minutes',
      ended: 1,
      jobs: 2,
      projects: 1,
      new_owner: {
        user_id: 8,
        username: 'heir',
        exceeded_quotas: [
          { name: 'open_jobs_per_user_max', limit: 1, used: 2 },
          { name: 'stored_bytes_per_user_max', limit: 79, used: 80 },
        ],
      },
    });
    expect(order).toEqual(['look at 8, who is in state 1', 'delete', 'give 6 to 8']);
    expect(gateway.results.calls.map(({ context }) => context?.userId)).toEqual([6n, 8n]);
    expect(trail()[0]?.request).toMatchObject({ action: 'users.delete', target: 'user=6 new_owner=8' });
  });

  it('does nothing where there is no such new owner, or he is the deleted one', async () => {
    takeActions();
    gateway.auth.answers.listUsers = async () => ({ users: [], userCount: 0n });
    const nobody = await send('POST', '/admin/users/delete', body);
    expect([nobody.status, nobody.body.errors]).toMatchObject([400, [{ field: 'new_owner_id' }]]);
    gateway.auth.answers.listUsers = async () => ({ users: [heir], userCount: 1n });
    expect((await send('POST', '/admin/users/delete', { ...body, user_id: 8 })).status).toBe(400);
    expect(gateway.auth.calls.some(({ rpc }) => rpc === 'DeleteUser')).toBe(false);
    expect(gateway.jobs.calls).toEqual([]);
  });
});

describe('/admin/retention', () => {
  const at = new Date(0);
  const { RETAINED_DATA_JOBS: JOBS, RETAINED_DATA_LOGS: LOGS } = jobs.RetainedData;
  const { STATE_UNSPECIFIED: ANY, STATE_FAILED: FAILED } = jobs.State;
  const rules = [
    { data: LOGS, state: ANY, afterDays: 30 },
    { data: JOBS, state: FAILED, afterDays: 90 },
  ];

  it('says what rules that are given would remove, with sizes and names', async () => {
    takeActions();
    const asked: unknown[] = [];
    gateway.jobs.answers.getRetention = async ({ retention, days }) => {
      asked.push(retention, days);
      const one = { jobId: 'job-1', ownerId: 8n, title: 'Tank', state: FAILED, removeTime: at };
      return {
        retention,
        setTime: undefined,
        sums: [{ rule: rules[1], jobCount: 1, ownerCount: 1, firstTime: at }],
        removals: [
          { ...one, data: LOGS },
          { ...one, data: JOBS },
        ],
      };
    };
    gateway.results.answers.listJobBytes = async () => ({
      jobs: [{ jobId: 'job-1', inputBytes: 1n, resultsBytes: 20n, logsBytes: 300n }],
    });
    gateway.auth.answers.listUsers = async () => ({ users: [], userCount: 0n });
    const { body } = await send('GET', '/admin/retention?rules=logs:any:30,jobs:FAILED:90&warning_days=7&days=60');
    expect(asked).toEqual([{ rules, warningDays: 7 }, 60]);
    expect(body).toMatchObject({
      rules: [
        { data: 'logs', state: 'any', after_days: 30 },
        { data: 'jobs', state: 'FAILED', after_days: 90 },
      ],
      warning_days: 7,
      set_at: null,
      sums: [{ data: 'jobs', state: 'FAILED', after_days: 90, jobs: 1, users: 1 }],
      removals: [
        { job_id: 'job-1', data: 'logs', bytes: 300 },
        { job_id: 'job-1', data: 'jobs', bytes: 321 },
      ],
      bytes: 621,
    });
    expect(trail()[0]?.request).toMatchObject({
      action: 'retention.look',
      target: 'rules=logs:any:30,jobs:FAILED:90 warning_days=7 days=60',
    });
  });

  it('sets them with a reason, and refuses what is no rule by its name', async () => {
    takeActions();
    gateway.jobs.answers.updateRetention = async () => ({});
    const wanted = [{ data: 'logs', after_days: 30 }];
    expect((await send('PUT', '/admin/retention', { rules: wanted, reason })).status).toBe(200);
    expect(gateway.jobs.calls[0]?.request).toEqual({ retention: { rules: [rules[0]], warningDays: 14 } });
    expect(trail()[0]?.request).toMatchObject({ target: 'rules=logs:any:30 warning_days=14', reason });
    for (const [path, field] of [
      ['rules=logs:any', 'rules'],
      ['rules=inputs:any:30', 'rules'],
      ['rules=logs:RUNNING:30', 'rules'],
      ['warning_days=0', 'warning_days'],
    ] as const) {
      const reply = await send('GET', `/admin/retention?${path}`);
      expect([reply.status, reply.body.errors]).toMatchObject([400, [{ field: expect.stringContaining(field) }]]);
    }
  });
});

describe('GET /admin/usage', () => {
  const thisMonth = new Date().toISOString().slice(0, 7);
  const answerUsage = (names: Readonly<Record<string, string>> = {}) => {
    takeActions();
    const time = (seconds: bigint) => ({ seconds, nanos: 250_000_000 });
    gateway.jobs.answers.listAllUsage = async () => ({
      months: [
        { month: '2026-03', ownerId: 8n, processorTime: time(3n) },
        { month: thisMonth, ownerId: 8n, processorTime: time(1n) },
        { month: thisMonth, ownerId: 9n, processorTime: time(7n) },
      ],
    });
    gateway.results.answers.listOwnerBytes = async () => ({
      owners: [
        { ownerId: 8n, storedBytes: 40n },
        { ownerId: 10n, storedBytes: 50n },
      ],
    });
    gateway.auth.answers.listUsers = async ({ userIds }) => ({
      users: userIds.flatMap((userId) => {
        const username = names[String(userId)];
        return username === undefined ? [] : [{ ...USER, user: { ...USER.user, userId, username } }];
      }),
      userCount: 0n,
    });
  };
  const USER = {
    user: { userId: 0n, username: '', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' },
    createTime: new Date(0),
    state: authOperator.UserState.USER_STATE_ACTIVE,
    sessionCount: 0,
    tokenCount: 0,
    isOperator: false,
  };

  it('200: by user and month, this month with what is stored, also of who has used nothing', async () => {
    answerUsage({ 8: 'ada', 10: 'bob' });
    const { body } = await send('GET', '/admin/usage?from=2026-03');
    const month = thisMonth;
    expect(body.usage).toEqual([
      { month, user_id: 9, username: '', processor_seconds: 7.25, stored_bytes: 0 },
      { month, user_id: 8, username: 'ada', processor_seconds: 1.25, stored_bytes: 40 },
      { month, user_id: 10, username: 'bob', processor_seconds: 0, stored_bytes: 50 },
      { month: '2026-03', user_id: 8, username: 'ada', processor_seconds: 3.25, stored_bytes: null },
    ]);
    expect(gateway.jobs.calls[0]?.request).toEqual({ fromMonth: '2026-03', toMonth: thisMonth });
    expect(trail()[0]?.request).toMatchObject({ action: 'usage.list', target: 'from=2026-03 format=json' });
  });

  it('200: as CSV without formulas; months that are over ask results for nothing', async () => {
    answerUsage({ 8: '=cmd()' });
    gateway.jobs.answers.listAllUsage = async () => ({
      months: [{ month: '2025-03', ownerId: 8n, processorTime: { seconds: 3n, nanos: 0 } }],
    });
    const { text, headers } = await send('GET', '/admin/usage?from=2025-03&to=2025-04&format=csv');
    expect(headers.get('content-disposition')).toContain('usage-2025-03-2025-04.csv');
    expect(text).toBe("month,user_id,user,processor_seconds,stored_bytes\n2025-03,8,'=cmd(),3,\n");
    expect(gateway.results.calls).toEqual([]);
  });

  it('200: names of more users than auth gives at once', async () => {
    answerUsage(Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [i + 1, `user-${i + 1}`])));
    gateway.jobs.answers.listAllUsage = async () => ({
      months: Array.from({ length: 1_500 }, (_, i) => ({
        month: '2025-03',
        ownerId: BigInt(i + 1),
        processorTime: { seconds: BigInt(i), nanos: 0 },
      })),
    });
    const { body } = await send('GET', '/admin/usage?from=2025-03&to=2025-03');
    const usage = body.usage as { username: string }[];
    expect([usage.length, usage[0]?.username, usage.some(({ username }) => username === '')]).toEqual([
      1_500,
      'user-1500',
      false,
    ]);
  });

  it('400: what is no month', async () => {
    for (const field of ['from', 'to']) {
      const reply = await send('GET', `/admin/usage?${field}=2026-13`);
      expect([reply.status, reply.body.errors]).toMatchObject([400, [{ field }]]);
    }
  });
});

describe('GET /admin/audit', () => {
  it('gives pages, and files whose cells are no formulas', async () => {
    takeActions();
    gateway.auth.answers.listOperatorActions = async () => ({ actions: [ACTION] });
    const { body } = await send('GET', '/admin/audit?page_size=1');
    expect(body).toMatchObject({
      entries: [{ action_id: 7, operator: 'root', time: '1970-01-01T00:00:00.000Z' }],
      next_before: 7,
    });
    const csv = await send('GET', '/admin/audit?format=csv');
    expect(csv.headers.get('content-disposition')).toContain('tally-audit.csv');
    expect(csv.text).toBe(
      'action_id,time,operator_id,operator,action,target,reason,request_id,failure\r\n' +
        '7,1970-01-01T00:00:00.000Z,9,root,jobs.cancel,job-1,"\'=HYPERLINK(""x""), or ""so""",r-1,\r\n',
    );
    const lines = (await send('GET', '/admin/audit?format=jsonl')).text;
    expect(JSON.parse(lines)).toMatchObject({ action_id: 7, reason: ACTION.reason });
  });

  it('reads all of a long trail for a file', async () => {
    takeActions();
    const asked: (bigint | undefined)[] = [];
    gateway.auth.answers.listOperatorActions = async ({ beforeActionId }) => {
      asked.push(beforeActionId);
      const first = Number(beforeActionId ?? 1_501n) - 1;
      const count = Math.min(1_000, first);
      return { actions: Array.from({ length: count }, (_, i) => ({ ...ACTION, actionId: BigInt(first - i) })) };
    };
    const { text } = await send('GET', '/admin/audit?format=jsonl&changes=false');
    expect(text.trim().split('\n')).toHaveLength(1_500);
    expect(asked).toEqual([undefined, 501n]);
  });
});
