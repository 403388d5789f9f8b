import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, authOperator } from '@tally/contracts';
import { silentLogger } from '@tally/service-kit';
import { runCreateAccount } from '../../../src/service.js';
import {
  ADDRESS,
  type AuthFixture,
  as,
  asOperator,
  login,
  PASSWORD,
  register,
  sessionIdOf,
  startAuthFixture,
  startSsoFixture,
  verify,
} from '../../auth-fixture.js';
import { goodClaims } from '../../sso-tokens.js';
import { testAuthConfig } from '../../start.js';

let fixture: AuthFixture;
let root: bigint;
const { USER_STATE_ACTIVE, USER_STATE_BLOCKED, USER_STATE_DELETED, USER_STATE_UNSPECIFIED } = authOperator.UserState;
const EVERYBODY: authOperator.ListUsersRequest = {
  search: '',
  userIds: [],
  pageSize: 100,
  pageIndex: 1,
  state: USER_STATE_UNSPECIFIED,
};
const TRAIL: authOperator.ListOperatorActionsRequest = {
  pageSize: 100,
  isChangesOnly: false,
  operatorName: '',
  target: '',
};
const listUsers = (asked: Partial<authOperator.ListUsersRequest> = {}) =>
  asOperator(root, () => fixture.operator.listUsers({ ...EVERYBODY, ...asked }));
const listTrail = async (asked: Partial<authOperator.ListOperatorActionsRequest> = {}) =>
  (await asOperator(root, () => fixture.operator.listOperatorActions({ ...TRAIL, ...asked }))).actions;
const CANCEL = { action: 'jobs.cancel', target: 'job-1', reason: 'it blocks the others', isChange: true };
const begin = (userId: bigint, action: Partial<authOperator.CreateOperatorActionRequest> = {}) =>
  asOperator(userId, () => fixture.operator.createOperatorAction({ ...CANCEL, ...action }));
const ended = async () => (await fixture.gateway.listEndedSessions({})).sessionIds;
const makeToken = (userId: bigint) =>
  as(userId, () =>
    fixture.gateway.createApiToken({
      name: 'script',
      scopes: [auth.TokenScope.TOKEN_SCOPE_READ],
      expiresAt: new Date(Date.now() + 3_600_000),
      isEndedWithSessions: false,
    }),
  );

beforeAll(async () => {
  fixture = await startAuthFixture();
  root = await register(fixture, 'root');
  await fixture.stopFirst();
  const first = fixture;
  const copy = await fixture.addCopy({ operators: ['root', 'sso:ada', 'not there'] });
  fixture = { ...fixture, ...copy, stop: () => first.stop() };
});
afterAll(() => fixture.stop());

describe('who is an operator', () => {
  it('is whom AUTH_OPERATORS names: the access token says so, and no other one', async () => {
    await register(fixture, 'mira');
    expect((await verify(fixture, (await login(fixture, 'root')).accessToken)).role).toBe('operator');
    expect((await verify(fixture, (await login(fixture, 'mira')).accessToken)).role).toBeUndefined();
  });

  it('is nobody who registers under a name of the list', async () => {
    const registration = { username: ' not there', password: PASSWORD, remoteAddress: ADDRESS };
    const call = fixture.gateway.createUser(registration);
    await expect(call).rejects.toMatchObject({ reason: 'USERNAME_RESERVED', status: 'PERMISSION_DENIED' });
    expect(await register(fixture, 'ada')).toBeGreaterThan(0n); // sso:ada is another one
    expect((await verify(fixture, (await login(fixture, 'ada')).accessToken)).role).toBeUndefined();
  });

  it('gets the account by the command, which takes the password from its input', async () => {
    const config = { ...testAuthConfig({ databaseUrl: fixture.databaseUrl }), passwordLengthMin: 8 };
    const create = (username: string, password: string) =>
      runCreateAccount(config, silentLogger, { username, password });
    const user = await create('not there', PASSWORD);
    expect((await verify(fixture, (await login(fixture, 'not there')).accessToken)).role).toBe('operator');
    expect(user).toMatchObject({ username: 'not there', provider: 'local' });
    await expect(create('not there', PASSWORD)).rejects.toMatchObject({ reason: 'USERNAME_TAKEN' });
    await expect(create('', 'short')).rejects.toMatchObject({ fields: [{ field: 'username' }, { field: 'password' }] });
  });

  it('may call each RPC alone', async () => {
    for (const [name, { requestDeserialize }] of Object.entries(authOperator.AuthOperatorServiceService)) {
      const call = fixture.operator[name as 'listUsers'];
      const refused = as(root, () => call(requestDeserialize(Buffer.alloc(0)) as never));
      await expect(refused).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
    }
  });

  it('is one by a claim of the realm as long as the session lives that came with it', async () => {
    const realm = await startSsoFixture({ operatorClaim: 'groups=tally-operators' });
    const loginBy = async (username: string, groups?: readonly string[]) => {
      const ssoToken = realm.realm.sign({ ...goodClaims(realm.realm, username), ...(groups && { groups }) });
      const { session } = await realm.gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
      if (session?.user === undefined) throw new Error('no session came back');
      return { ...session, userId: session.user.userId };
    };
    const ada = await loginBy('ada', ['physics', 'tally-operators']);
    expect((await verify(realm, ada.accessToken)).role).toBe('operator');
    const { accessToken } = await realm.gateway.createAccessToken({ refreshToken: ada.refreshToken });
    expect((await verify(realm, accessToken)).role).toBe('operator');
    expect((await verify(realm, (await loginBy('bob', ['physics'])).accessToken)).role).toBeUndefined();
    const act = () => asOperator(ada.userId, () => realm.operator.createOperatorAction(CANCEL));
    expect((await act()).actionId).toBeGreaterThan(0n);
    const sessionId = await sessionIdOf(realm, ada.accessToken);
    await as(ada.userId, () => realm.gateway.deleteSession({ which: { $case: 'sessionId', value: sessionId } }));
    await expect(act()).rejects.toMatchObject({ reason: 'OPERATOR_REVOKED' });
    await realm.stop();
  });
});

describe('the trail', () => {
  it('has what jobs removes by a rule, with nobody as its operator; the gateway cannot write that', async () => {
    const userId = await register(fixture, 'retained');
    const wanted = { action: 'retention.remove', target: `user=${userId} logs of jobs a b`, reason: '30 days after' };
    const { actionId } = await fixture.jobs.createRuleAction(wanted);
    const [entry] = await listTrail();
    expect(entry).toMatchObject({
      ...wanted,
      target: `${wanted.target} retained`,
      actionId,
      operatorId: 0n,
      operatorName: '(rule)',
      isChange: true,
    });
    for (const [field, wrong] of Object.entries({ action: 'Remove', target: 'x'.repeat(501), reason: ' ' })) {
      const call = fixture.jobs.createRuleAction({ ...wanted, [field]: wrong });
      await expect(call).rejects.toMatchObject({ reason: 'FIELDS_INVALID', fields: [{ field }] });
    }
    await expect(fixture.gateway.createRuleAction(wanted)).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });

  it('has who did what to whom when, why and in which request, and how it failed', async () => {
    const { actionId } = await begin(root);
    await asOperator(root, () => fixture.operator.reportOperatorAction({ actionId, failure: 'JOB_NOT_FOUND' }));
    await asOperator(root, () => fixture.operator.reportOperatorAction({ actionId, failure: 'ANOTHER' }));
    const [entry] = await listTrail();
    expect(entry).toMatchObject({
      ...CANCEL,
      actionId,
      operatorId: root,
      operatorName: 'root',
      requestId: 'of an operator',
      failure: 'JOB_NOT_FOUND',
    });
    expect(Math.abs(Date.now() - (entry?.happenTime?.getTime() ?? 0))).toBeLessThan(60_000);
    const missing = asOperator(root, () =>
      fixture.operator.reportOperatorAction({ actionId: 10n ** 9n, failure: 'X' }),
    );
    await expect(missing).rejects.toMatchObject({ reason: 'ACTION_NOT_FOUND' });
  });

  it('has the names of users whom it concerns', async () => {
    await begin(root, { action: 'users.block', target: `user=${root} blocked=true` });
    expect((await listTrail())[0]?.target).toBe(`user=${root} blocked=true root`);
  });

  it('is listed by pages, operator, target, time and changes', async () => {
    const look = { action: 'users.list', target: '100%_sure', reason: '', isChange: false };
    await begin(root);
    const { actionId } = await begin(root, look);
    const [newest, next] = await listTrail({ pageSize: 2 });
    expect([newest?.actionId, next?.action]).toEqual([actionId, 'jobs.cancel']);
    expect((await listTrail({ beforeActionId: actionId }))[0]?.actionId).toBe(next?.actionId);
    expect((await listTrail({ isChangesOnly: true })).every(({ isChange }) => isChange)).toBe(true);
    expect((await listTrail({ target: '0%_s' })).map((entry) => entry.actionId)).toEqual([actionId]);
    expect(await listTrail({ operatorName: 'mira' })).toEqual([]);
    expect(await listTrail({ toTime: new Date(0) })).toEqual([]);
    expect((await listTrail({ fromTime: new Date(0) })).length).toBeGreaterThan(1);
  });

  it('only grows: the database itself refuses to change, remove or empty it', async () => {
    await begin(root);
    const statements = [
      "UPDATE operator_actions SET reason = 'another'",
      'DELETE FROM operator_actions',
      'TRUNCATE operator_actions',
    ];
    for (const statement of statements) {
      await expect(fixture.query(statement)).rejects.toThrow('operator_actions only grows');
    }
  });

  it('takes no change without a reason, no action that is not a word, and none of who is no operator any more', async () => {
    const faults = { reason: 'FIELDS_INVALID' };
    await expect(begin(root, { reason: ' ' })).rejects.toMatchObject({ ...faults, fields: [{ field: 'reason' }] });
    await expect(begin(root, { action: 'Cancel!' })).rejects.toMatchObject({
      ...faults,
      fields: [{ field: 'action' }],
    });
    await expect(begin(root, { target: 'x'.repeat(501) })).rejects.toMatchObject(faults);
    const mira = (await listUsers({ search: 'mira' })).users[0]?.user?.userId ?? 0n;
    await expect(begin(mira)).rejects.toMatchObject({ reason: 'OPERATOR_REVOKED' });
  });
});

describe('ListUsers', () => {
  it('finds users by a part of their names, by ids and states, with what they have open', async () => {
    const [anna, hanna] = [await register(fixture, 'Anna'), await register(fixture, 'hanna%')];
    await login(fixture, 'Anna');
    await makeToken(anna);
    const { users, userCount } = await listUsers({ search: 'ANN' });
    expect(users.map(({ user }) => user?.username)).toEqual(['Anna', 'hanna%']);
    expect(userCount).toBe(2n);
    expect(users[0]).toMatchObject({ state: USER_STATE_ACTIVE, sessionCount: 1, tokenCount: 1, isOperator: false });
    expect(users[0]?.lastLoginTime).toBeDefined();
    expect((await listUsers({ search: 'a%' })).users.map(({ user }) => user?.userId)).toEqual([hanna]);
    expect((await listUsers({ userIds: [root, hanna] })).users.map(({ isOperator }) => isOperator)).toEqual([
      false,
      true,
    ]);
    expect(await listUsers({ search: 'ann', pageSize: 1, pageIndex: 2 })).toMatchObject({
      userCount: 2n,
      users: [{ user: { userId: hanna } }],
    });
    expect((await listUsers({ state: USER_STATE_BLOCKED })).users).toEqual([]);
    await expect(listUsers({ pageSize: 0 })).rejects.toMatchObject({ reason: 'FIELDS_INVALID' });
  });
});

describe('UpdateUserBlock', () => {
  const block = (userId: bigint, isBlocked: boolean) =>
    asOperator(root, () => fixture.operator.updateUserBlock({ userId, isBlocked }));

  it('ends sessions and tokens at once, lets nobody log in with the right password, and can be taken back', async () => {
    const userId = await register(fixture, 'blocked one');
    const { accessToken, refreshToken } = await login(fixture, 'blocked one');
    const { text, token } = await makeToken(userId);
    const { endedIds } = await block(userId, true);
    const sessionId = await sessionIdOf(fixture, accessToken);
    expect([...endedIds].toSorted((a, b) => a.localeCompare(b))).toEqual(
      [sessionId, token?.tokenId ?? ''].toSorted((a, b) => a.localeCompare(b)),
    );
    expect(await ended()).toEqual(expect.arrayContaining([...endedIds]));
    await expect(fixture.gateway.createAccessToken({ refreshToken })).rejects.toMatchObject({
      reason: 'SESSION_INVALID',
    });
    await expect(fixture.gateway.getApiTokenOwner({ text })).rejects.toMatchObject({ reason: 'TOKEN_INVALID' });
    await expect(login(fixture, 'blocked one')).rejects.toMatchObject({ reason: 'USER_BLOCKED' });
    await expect(login(fixture, 'blocked one', 'a wrong password')).rejects.toMatchObject({
      reason: 'CREDENTIALS_WRONG',
    });
    expect((await listUsers({ userIds: [userId] })).users[0]?.state).toBe(USER_STATE_BLOCKED);
    // the access token lives for a moment at the gateway: what is made by it opens nothing
    const late = await makeToken(userId);
    await expect(fixture.gateway.getApiTokenOwner({ text: late.text })).rejects.toMatchObject({
      reason: 'TOKEN_INVALID',
    });
    await block(userId, false);
    await login(fixture, 'blocked one');
  });

  it('protects operators, and knows nobody who is not there', async () => {
    await expect(block(root, true)).rejects.toMatchObject({ reason: 'OPERATOR_PROTECTED' });
    await expect(block(10n ** 9n, true)).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });
});

describe('DeleteUserSessions', () => {
  it('ends all that a user has open; he may log in again', async () => {
    const userId = await register(fixture, 'lost laptop');
    await login(fixture, 'lost laptop');
    await makeToken(userId);
    const end = () => asOperator(root, () => fixture.operator.deleteUserSessions({ userId }));
    expect((await end()).endedIds).toHaveLength(2);
    expect((await end()).endedIds).toEqual([]);
    await login(fixture, 'lost laptop');
    const missing = asOperator(root, () => fixture.operator.deleteUserSessions({ userId: 10n ** 9n }));
    await expect(missing).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });
});

describe('DeleteUser', () => {
  it('ends all that the user has, keeps the name for a day, and then frees it', async () => {
    const userId = await register(fixture, 'leaver');
    const { accessToken } = await login(fixture, 'leaver');
    const remove = () => asOperator(root, () => fixture.operator.deleteUser({ userId }));
    expect((await remove()).endedIds).toEqual([await sessionIdOf(fixture, accessToken)]);
    expect((await remove()).endedIds).toEqual([]);
    await expect(login(fixture, 'leaver')).rejects.toMatchObject({ reason: 'USER_BLOCKED' });
    await expect(register(fixture, 'leaver')).rejects.toMatchObject({ reason: 'USERNAME_TAKEN' });
    expect((await listUsers({ state: USER_STATE_DELETED })).users.map(({ user }) => user?.userId)).toEqual([userId]);
    const unblock = asOperator(root, () => fixture.operator.updateUserBlock({ userId, isBlocked: false }));
    await expect(unblock).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
    await fixture.query("UPDATE users SET deleted_at = now() - interval '25 hours' WHERE id = $1", [userId]);
    await fixture.addCopy({ operators: ['root'] }); // cleans up at its start
    for (let i = 0; (await listUsers({ userIds: [userId] })).userCount > 0n; i += 1) {
      if (i === 1_000) throw new Error('the user is still there');
    }
    expect(await register(fixture, 'leaver')).not.toBe(userId);
  });
});

describe('CreatePasswordReset', () => {
  it('gives a link that sets a new password once, and dies with its user', async () => {
    const userId = await register(fixture, 'forgetful');
    const make = () => asOperator(root, () => fixture.operator.createPasswordReset({ userId }));
    const confirm = (link: string, newPassword: string) =>
      fixture.gateway.confirmPasswordReset({ token: link.split('#')[1] ?? '', newPassword, remoteAddress: ADDRESS });
    const { link } = await make();
    await confirm(link, 'another password');
    await login(fixture, 'forgetful', 'another password');
    await expect(confirm(link, 'a third password')).rejects.toMatchObject({ reason: 'LINK_INVALID' });
    const dead = await make();
    await asOperator(root, () => fixture.operator.deleteUser({ userId }));
    await expect(confirm(dead.link, 'a third password')).rejects.toMatchObject({ reason: 'LINK_INVALID' });
    const missing = asOperator(root, () => fixture.operator.createPasswordReset({ userId: 10n ** 9n }));
    await expect(missing).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });
});
