import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, authOperator } from '@tally/contracts';
import {
  ADDRESS,
  type AuthFixture,
  as,
  asOperator,
  asTeacher,
  login,
  PASSWORD,
  register,
  sessionIdOf,
  startAuthFixture,
  startSsoFixture,
  verify,
} from '../../auth-fixture.js';
import { goodClaims } from '../../sso-tokens.js';

let fixture: AuthFixture;
let [root, ada, bob] = [0n, 0n, 0n];
const DAY_MS = 86_400_000;
const { USER_STATE_ACTIVE, USER_STATE_BLOCKED, USER_STATE_DELETED } = authOperator.UserState;
const LOOK = { action: 'classes.list', target: '', reason: '', isChange: false };

async function make(teacher: bigint, name: string, usernames: string[], isDeletedAtEnd = false) {
  const wanted = { name, usernames, endTime: new Date(Date.now() + 30 * DAY_MS), isDeletedAtEnd };
  const made = await asTeacher(teacher, async () =>
    fixture.operator.createClass({ ...wanted, ...(await fixture.operator.prepareClass(wanted)) }),
  );
  return { classId: made.class?.classId ?? '', groupId: made.class?.groupId ?? '', invitations: made.invitations };
}
const list = async (teacher: bigint, classId = '') =>
  (await asTeacher(teacher, () => fixture.operator.listClasses({ classId }))).classes;
const end = (teacher: bigint, classId: string, isDeleted: boolean) =>
  asTeacher(teacher, () => fixture.operator.endClass({ classId, isDeleted }));
const invite = (teacher: bigint, classId: string, userId?: bigint) =>
  asTeacher(teacher, () => fixture.operator.createInvitations({ classId, userId }));
const join = (link = '') =>
  fixture.gateway.confirmPasswordReset({
    token: link.split('#')[1] ?? '',
    newPassword: PASSWORD,
    remoteAddress: ADDRESS,
  });

beforeAll(async () => {
  fixture = await startAuthFixture();
  [root, ada, bob] = [await register(fixture, 'root'), await register(fixture, 'ada'), await register(fixture, 'bob')];
  await fixture.stopFirst();
  const first = fixture;
  const copy = await fixture.addCopy({ operators: ['root'], teachers: ['ada', 'bob', 'not there'] });
  fixture = { ...fixture, ...copy, stop: () => first.stop() };
});
afterAll(() => fixture.stop());

describe('who is a teacher', () => {
  it('is whom AUTH_TEACHERS names; an operator is an operator', async () => {
    expect((await verify(fixture, (await login(fixture, 'ada')).accessToken)).role).toBe('teacher');
    expect((await verify(fixture, (await login(fixture, 'root')).accessToken)).role).toBe('operator');
  });

  it('is nobody who registers under a name of the list', async () => {
    await expect(register(fixture, 'not there')).rejects.toMatchObject({ reason: 'USERNAME_RESERVED' });
  });

  it('is one by a claim of the realm as long as the session lives, and an operator if he has both claims', async () => {
    const realm = await startSsoFixture({ operatorClaim: 'groups=operators', teacherClaim: 'groups=teachers' });
    const loginBy = async (username: string, groups: readonly string[]) => {
      const ssoToken = realm.realm.sign({ ...goodClaims(realm.realm, username), groups });
      const { session } = await realm.gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
      if (session?.user === undefined) throw new Error('no session came back');
      return { ...session, userId: session.user.userId };
    };
    const both = await loginBy('both', ['teachers', 'operators']);
    expect((await verify(realm, both.accessToken)).role).toBe('operator');
    const mia = await loginBy('mia', ['teachers']);
    expect((await verify(realm, mia.accessToken)).role).toBe('teacher');
    const { accessToken } = await realm.gateway.createAccessToken({ refreshToken: mia.refreshToken });
    expect((await verify(realm, accessToken)).role).toBe('teacher');
    const act = () => asTeacher(mia.userId, () => realm.operator.createOperatorAction(LOOK));
    expect((await act()).actionId).toBeGreaterThan(0n);
    const sessionId = await sessionIdOf(realm, mia.accessToken);
    await as(mia.userId, () => realm.gateway.deleteSession({ which: { $case: 'sessionId', value: sessionId } }));
    await expect(act()).rejects.toMatchObject({ reason: 'OPERATOR_REVOKED' });
    await realm.stop();
  });

  it('may call what concerns classes, and nothing else of operators', async () => {
    const open = new Set([
      'createOperatorAction',
      'reportOperatorAction',
      'prepareClass',
      'createClass',
      'listClasses',
      'createInvitations',
      'endClass',
    ]);
    for (const [name, { requestDeserialize }] of Object.entries(authOperator.AuthOperatorServiceService)) {
      const call = fixture.operator[name as 'listUsers'];
      const made = asTeacher(ada, () => call(requestDeserialize(Buffer.alloc(0)) as never)).catch(
        (err: unknown) => err,
      );
      const isRefused = ((await made) as { reason?: string }).reason === 'ROLE_REQUIRED';
      expect([name, isRefused]).toEqual([name, !open.has(name)]);
    }
  });

  it('gets into the trail with his classes alone, and not as an operator', async () => {
    const begin = (action: string, acting = asTeacher) =>
      acting(ada, () => fixture.operator.createOperatorAction({ ...LOOK, action }));
    expect((await begin('classes.list')).actionId).toBeGreaterThan(0n);
    await expect(begin('users.list')).rejects.toMatchObject({ reason: 'OPERATOR_REVOKED' });
    await expect(begin('classes.list', asOperator)).rejects.toMatchObject({ reason: 'OPERATOR_REVOKED' });
  });
});

describe("a teacher's classes", () => {
  it('are his own: another one neither sees, invites to nor ends them, and an operator sees all', async () => {
    const [own, others] = [await make(ada, 'of ada', ['a-1', 'a-2']), await make(bob, 'of bob', ['b-1'])];
    expect((await list(ada)).map(({ name }) => name)).toEqual(['of ada']);
    const [student] = others.invitations;
    const attempts = [
      list(ada, others.classId),
      invite(ada, others.classId),
      invite(ada, others.classId, student?.userId),
      end(ada, others.classId, true),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ reason: 'CLASS_NOT_FOUND' });
    await join(student?.link);
    expect(await login(fixture, 'b-1')).toBeDefined();
    const all = (await asOperator(root, () => fixture.operator.listClasses({ classId: '' }))).classes;
    expect(all.map(({ name, teacherName }) => [name, teacherName])).toEqual([
      ['of bob', 'bob'],
      ['of ada', 'ada'],
    ]);
    expect(own.groupId).not.toBe(others.groupId);
  });

  it('give new links to accounts that the class has made and to no one else', async () => {
    const { classId, groupId, invitations } = await make(ada, 'links', ['l-1', 'l-2', 'l-3']);
    const [first, second] = invitations;
    await join(first?.link);
    await login(fixture, 'l-1');
    const { invitations: again } = await invite(ada, classId);
    expect(again.map(({ username }) => username)).toEqual(['l-2', 'l-3']);
    await expect(join(second?.link)).rejects.toMatchObject({ reason: 'LINK_INVALID' });
    await join(again[0]?.link);
    expect((await invite(ada, classId, first?.userId)).invitations.map(({ username }) => username)).toEqual(['l-1']);
    // a user who was there before is no student, also as a member of the group
    const before = await register(fixture, 'was there before');
    const provider = auth.AuthProvider.AUTH_PROVIDER_UNSPECIFIED;
    const role = auth.GroupRole.GROUP_ROLE_MEMBER;
    const member = { groupId, username: 'was there before', provider, role };
    await as(ada, () => fixture.gateway.createMember(member));
    for (const userId of [before, root, bob, 10n ** 9n]) {
      await expect(invite(ada, classId, userId)).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
    }
    await end(ada, classId, true);
    expect(await login(fixture, 'was there before')).toBeDefined();
    await expect(invite(ada, classId)).rejects.toMatchObject({ reason: 'CLASS_ENDED' });
  });

  it('end before their day: sessions end, accounts are blocked, then deleted with the group; a repeat changes nothing', async () => {
    const { classId, groupId, invitations } = await make(ada, 'ends', ['e-1', 'e-2']);
    await join(invitations[0]?.link);
    const { accessToken } = await login(fixture, 'e-1');
    const { class: blocked, endedIds } = await end(ada, classId, false);
    expect(endedIds).toEqual([await sessionIdOf(fixture, accessToken)]);
    expect(blocked).toMatchObject({ isEnded: true, isDeletedAtEnd: false });
    expect(blocked?.students.map(({ state }) => state)).toEqual([USER_STATE_BLOCKED, USER_STATE_BLOCKED]);
    await expect(login(fixture, 'e-1')).rejects.toMatchObject({ reason: 'USER_BLOCKED' });
    await expect(join(invitations[1]?.link)).rejects.toMatchObject({ reason: 'LINK_INVALID' });
    const groups = async () => (await as(ada, () => fixture.gateway.listGroups({}))).groups.map((one) => one.groupId);
    expect(await groups()).toContain(groupId);
    for (const isDeleted of [true, true, false]) {
      const { class: deleted } = await end(ada, classId, isDeleted);
      expect(deleted).toMatchObject({ isEnded: true, isDeletedAtEnd: true });
      expect(deleted?.students.map(({ state }) => state)).toEqual([USER_STATE_DELETED, USER_STATE_DELETED]);
    }
    expect(await groups()).not.toContain(groupId);
    const [other] = (await list(ada)).filter(({ name }) => name === 'of ada');
    expect(other?.students.map(({ state }) => state)).toEqual([USER_STATE_ACTIVE, USER_STATE_ACTIVE]);
  });

  it('are made whole or not at all: what was only prepared is nowhere, and its names are free', async () => {
    const wanted = { name: 'half', usernames: ['h-1'], endTime: new Date(Date.now() + DAY_MS), isDeletedAtEnd: true };
    const prepared = await asTeacher(ada, () => fixture.operator.prepareClass(wanted));
    expect((await list(ada)).map(({ name }) => name)).not.toContain('half');
    const again = await make(ada, 'half', ['h-1'], true);
    expect(again.classId).not.toBe(prepared.classId);
    expect(again.invitations[0]?.userId).not.toBe(prepared.userIds[0]);
  });
});
