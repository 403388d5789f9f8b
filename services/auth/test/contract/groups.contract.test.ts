import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { type AuthFixture, as, register, startAuthFixture, startSsoFixture } from '../auth-fixture.js';
import { goodClaims } from '../sso-tokens.js';

const { GROUP_ROLE_VIEWER: VIEWER, GROUP_ROLE_MEMBER: MEMBER, GROUP_ROLE_MANAGER: MANAGER } = auth.GroupRole;
const { AUTH_PROVIDER_UNSPECIFIED: ANY, AUTH_PROVIDER_LOCAL: LOCAL, AUTH_PROVIDER_SSO: SSO } = auth.AuthProvider;

let fixture: AuthFixture;
let [mira, otto, ada] = [0n, 0n, 0n];
beforeAll(async () => {
  fixture = await startAuthFixture({ unknownNamesPerUserMax: 3 });
  [mira, otto, ada] = [
    await register(fixture, 'mira'),
    await register(fixture, 'otto'),
    await register(fixture, 'ada'),
  ];
});
afterAll(() => fixture.stop());

const version = async () => (await fixture.gateway.listEndedSessions({})).membershipsVersion;
const groupsOf = async (userId: bigint) => (await as(userId, () => fixture.gateway.listGroups({}))).groups;

async function newGroup(managerId: bigint, name = 'Clinic'): Promise<string> {
  const { group } = await as(managerId, () => fixture.gateway.createGroup({ name }));
  return group?.groupId ?? '';
}
const add = (actorId: bigint, groupId: string, username: string, role = MEMBER, provider = ANY) =>
  as(actorId, () => fixture.gateway.createMember({ groupId, username, provider, role }));
const setRole = (actorId: bigint, groupId: string, userId: bigint, role: auth.GroupRole) =>
  as(actorId, () => fixture.gateway.updateMember({ groupId, userId, role }));
const remove = (actorId: bigint, groupId: string, userId: bigint) =>
  as(actorId, () => fixture.gateway.deleteMember({ groupId, userId }));
const members = async (actorId: bigint, groupId: string) =>
  (await as(actorId, () => fixture.gateway.listMembers({ groupId }))).members.map(({ user, role }) => [
    user?.username,
    role,
  ]);

/** Every call that changes a group, with whom it would concern. */
const CHANGES: readonly (readonly [string, (actorId: bigint, groupId: string) => Promise<unknown>])[] = [
  ['rename', (actor, groupId) => as(actor, () => fixture.gateway.updateGroup({ groupId, name: 'Mine' }))],
  ['delete', (actor, groupId) => as(actor, () => fixture.gateway.deleteGroup({ groupId }))],
  ['add', (actor, groupId) => add(actor, groupId, 'ada')],
  ['change a role', (actor, groupId) => setRole(actor, groupId, mira, VIEWER)],
  ['remove', (actor, groupId) => remove(actor, groupId, mira)],
];

describe('groups OK', () => {
  it('are made, renamed, filled and deleted, and the version of memberships grows with each change', async () => {
    const before = await version();
    const groupId = await newGroup(mira);
    expect(groupId).toMatch(/^[0-9a-f]{16}$/);
    await as(mira, () => fixture.gateway.updateGroup({ groupId, name: 'Hall 2' }));
    const { member } = await add(mira, groupId, ' otto ', VIEWER);
    expect(member).toMatchObject({ user: { userId: otto, username: 'otto' }, role: VIEWER });
    await setRole(mira, groupId, otto, MANAGER);
    expect(await members(otto, groupId)).toEqual([
      ['mira', MANAGER],
      ['otto', MANAGER],
    ]);
    expect(await groupsOf(otto)).toMatchObject([
      { groupId, name: 'Hall 2', role: MANAGER, isOfRealm: false, memberCount: 2 },
    ]);
    expect(await version()).toBe(before + 4n);
    await remove(mira, groupId, mira);
    expect(await groupsOf(mira)).toEqual([]);
    await as(otto, () => fixture.gateway.deleteGroup({ groupId }));
    expect(await groupsOf(otto)).toEqual([]);
    expect(await version()).toBe(before + 6n);
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({
        event: 'auth.member.role_changed',
        user_id: String(mira),
        subject_id: String(otto),
        group_id: groupId,
        role: 'manager',
      }),
    );
  });

  it('give names to who holds ids, and leave unknown ones out', async () => {
    const groupId = await newGroup(mira, 'Named');
    const names = await fixture.gateway.listNames({ userIds: [otto, 999_999n], groupIds: [groupId, 'none'] });
    expect(names).toMatchObject({ users: [{ userId: otto, username: 'otto' }], groups: [{ groupId, name: 'Named' }] });
  });
});

describe('groups NOT_FOUND', () => {
  it('are alike for an unknown group and for one of others, in every call', async () => {
    const groupId = await newGroup(mira);
    const before = await version();
    const calls = [...CHANGES, ['list', members] as const];
    for (const [what, call] of calls) {
      for (const id of [groupId, '0011223344556677', 'a\0b', '']) {
        const refused = await call(otto, id).catch((err: unknown) => err);
        expect({ what, refused }).toMatchObject({ what, refused: { status: 'NOT_FOUND', reason: 'GROUP_NOT_FOUND' } });
      }
    }
    expect(await version()).toBe(before);
    expect(await members(mira, groupId)).toEqual([['mira', MANAGER]]);
  });

  it('are said of who is no member', async () => {
    const groupId = await newGroup(mira);
    for (const change of [() => setRole(mira, groupId, otto, VIEWER), () => remove(mira, groupId, otto)]) {
      await expect(change()).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'MEMBER_NOT_FOUND' });
    }
  });
});

describe('groups PERMISSION_DENIED', () => {
  it.each([VIEWER, MEMBER])('let nobody of role %s change anything but leave', async (role) => {
    const groupId = await newGroup(mira);
    await add(mira, groupId, 'otto', role);
    for (const [what, change] of CHANGES) {
      const refused = await change(otto, groupId).catch((err: unknown) => err);
      expect({ what, refused }).toMatchObject({
        what,
        refused: { status: 'PERMISSION_DENIED', reason: 'GROUP_ROLE_REQUIRED' },
      });
    }
    await remove(otto, groupId, otto);
    expect(await members(mira, groupId)).toEqual([['mira', MANAGER]]);
  });
});

describe('groups FAILED_PRECONDITION', () => {
  const LAST = { status: 'FAILED_PRECONDITION', reason: 'LAST_MANAGER' };

  it('keep their last manager', async () => {
    const groupId = await newGroup(mira);
    await add(mira, groupId, 'otto');
    await expect(remove(mira, groupId, mira)).rejects.toMatchObject(LAST);
    await expect(setRole(mira, groupId, mira, MEMBER)).rejects.toMatchObject(LAST);
    await setRole(mira, groupId, otto, MANAGER);
    await setRole(mira, groupId, mira, MEMBER);
    await expect(remove(otto, groupId, otto)).rejects.toMatchObject(LAST);
  });

  it('keep the last manager who can sign in, and let who cannot go', async () => {
    const groupId = await newGroup(mira);
    await add(mira, groupId, 'otto', MANAGER);
    const set = (values: string) => fixture.query(`UPDATE users SET ${values} WHERE id = $1`, [String(otto)]);
    for (const column of ['deleted_at', 'blocked_at']) {
      await set(`${column} = now()`);
      await expect(remove(mira, groupId, mira)).rejects.toMatchObject(LAST);
      await set(`${column} = NULL`);
    }
    await set('blocked_at = now()');
    await remove(mira, groupId, otto);
    await set('blocked_at = NULL');
  });

  it('keep one manager when both leave at the same time, at two copies', async () => {
    const second = await fixture.addCopy();
    for (let round = 0; round < 5; round++) {
      const groupId = await newGroup(mira);
      await add(mira, groupId, 'otto', MANAGER);
      const outcomes = await Promise.allSettled([
        remove(mira, groupId, mira),
        as(otto, () => second.gateway.deleteMember({ groupId, userId: otto })),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

describe('groups INVALID_ARGUMENT', () => {
  it('name the field', async () => {
    const groupId = await newGroup(mira);
    for (const name of ['', ' ', 'x'.repeat(129), 'a\nb']) {
      const rename = () => as(mira, () => fixture.gateway.updateGroup({ groupId, name }));
      for (const call of [() => newGroup(mira, name), rename]) {
        await expect(call()).rejects.toMatchObject({ reason: 'FIELDS_INVALID', fields: [{ field: 'name' }] });
      }
    }
    const none = auth.GroupRole.GROUP_ROLE_UNSPECIFIED;
    const calls = [() => add(mira, groupId, 'otto', none), () => setRole(mira, groupId, mira, none)];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ reason: 'FIELDS_INVALID', fields: [{ field: 'role' }] });
    }
  });
});

describe('groups ALREADY_EXISTS', () => {
  it('take a member once', async () => {
    const groupId = await newGroup(mira);
    await add(mira, groupId, 'otto');
    await expect(add(mira, groupId, 'otto', VIEWER)).rejects.toMatchObject({
      status: 'ALREADY_EXISTS',
      reason: 'MEMBER_EXISTS',
    });
    expect(await members(mira, groupId)).toContainEqual(['otto', MEMBER]);
  });
});

describe('groups RESOURCE_EXHAUSTED', () => {
  it('are at most 100 of a user, of 1000 members', async () => {
    const many = await register(fixture, 'many');
    await fixture.query(
      `INSERT INTO groups (id, name, created_at) SELECT 'full' || lpad(n::text, 12, '0'), 'g', now() FROM generate_series(1, 99) n`,
    );
    await fixture.query(
      `INSERT INTO memberships SELECT id, ${many}, 'member', now() FROM groups WHERE id LIKE 'full%'`,
    );
    const groupId = await newGroup(many);
    const full = { status: 'RESOURCE_EXHAUSTED', reason: 'GROUPS_EXCEEDED' };
    await expect(newGroup(many)).rejects.toMatchObject(full);
    await expect(add(mira, await newGroup(mira), 'many')).rejects.toMatchObject(full);
    await fixture.query(
      `WITH made AS (INSERT INTO users (username, provider, password_hash)
         SELECT 'extra' || n, 'local', 'x' FROM generate_series(1, 999) n RETURNING id)
       INSERT INTO memberships SELECT '${groupId}', id, 'viewer', now() FROM made`,
    );
    await expect(add(many, groupId, 'otto')).rejects.toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      reason: 'MEMBERS_EXCEEDED',
    });
  });

  it('let nobody find users by trying names, and count only names that nobody has', async () => {
    const find = (username: string) => as(ada, () => fixture.gateway.getUserByName({ username, provider: ANY }));
    for (let i = 0; i < 5; i++) expect((await find('otto')).user?.userId).toBe(otto);
    for (const name of ['nobody', 'OTTO', 'o\0tto']) {
      await expect(find(name)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'NAME_NOT_FOUND' });
    }
    for (const name of ['another', 'otto']) {
      await expect(find(name)).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED', reason: 'THROTTLED' });
    }
    await expect(add(ada, await newGroup(ada), 'otto')).rejects.toMatchObject({ reason: 'THROTTLED' });
  });
});

describe('groups of the realm', () => {
  it('follow the claim at each sign-in, and nobody changes them here', async () => {
    const sso = await startSsoFixture({ ssoGroupsClaim: 'resource.groups' });
    try {
      const signIn = async (groups: unknown, name = 'mira') => {
        const claims = { ...goodClaims(sso.realm, name), resource: { groups } };
        const { session } = await sso.gateway.createSsoSession({ ssoToken: sso.realm.sign(claims), remoteAddress: '' });
        return session?.user?.userId ?? 0n;
      };
      const groups = async (userId: bigint) => (await as(userId, () => sso.gateway.listGroups({}))).groups;
      const names = async (userId: bigint) => (await groups(userId)).map(({ name }) => name);
      const user = await signIn(['/physics', '/staff', '/staff', 7, 'a\nb']);
      expect(await groups(user)).toMatchObject([
        { name: '/physics', role: MEMBER, isOfRealm: true },
        { name: '/staff', role: MEMBER, isOfRealm: true },
      ]);
      const [physics] = await groups(user);
      const groupId = physics?.groupId ?? '';
      const colleague = await signIn('/physics', 'otto');
      expect((await groups(colleague))[0]).toMatchObject({ groupId, memberCount: 2 });
      const changes = [
        () => sso.gateway.updateGroup({ groupId, name: 'x' }),
        () => sso.gateway.deleteGroup({ groupId }),
        () => sso.gateway.createMember({ groupId, username: 'otto', provider: ANY, role: MEMBER }),
        () => sso.gateway.updateMember({ groupId, userId: colleague, role: MANAGER }),
        () => sso.gateway.deleteMember({ groupId, userId: user }),
      ];
      for (const change of changes) {
        await expect(as(user, change)).rejects.toMatchObject({
          status: 'FAILED_PRECONDITION',
          reason: 'GROUP_OF_REALM',
        });
      }
      const { group } = await as(user, () => sso.gateway.createGroup({ name: 'Own' }));
      const before = (await sso.gateway.listEndedSessions({})).membershipsVersion;
      await signIn(['/staff', '/physics']);
      expect((await sso.gateway.listEndedSessions({})).membershipsVersion).toBe(before);
      await signIn(['/staff', '/night']);
      expect(await names(user)).toEqual(['/night', '/staff', 'Own']);
      await signIn(undefined);
      expect((await groups(user)).map(({ groupId: id }) => id)).toEqual([group?.groupId]);
    } finally {
      await sso.stop();
    }
  });

  it('are none without the setting, and a name of both providers needs to say which', async () => {
    const sso = await startSsoFixture();
    try {
      const claims = { ...goodClaims(sso.realm, 'mira'), groups: ['/physics'] };
      const { session } = await sso.gateway.createSsoSession({ ssoToken: sso.realm.sign(claims), remoteAddress: '' });
      const there = session?.user?.userId ?? 0n;
      expect((await as(there, () => sso.gateway.listGroups({}))).groups).toEqual([]);
      const local = await register(sso, 'mira');
      const find = async (provider: auth.AuthProvider) =>
        (await as(local, () => sso.gateway.getUserByName({ username: 'mira', provider }))).user?.userId;
      await expect(find(ANY)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'NAME_AMBIGUOUS' });
      expect([await find(LOCAL), await find(SSO)]).toEqual([local, there]);
    } finally {
      await sso.stop();
    }
  });
});

describe('groups PERMISSION_DENIED to other services', () => {
  it('are for the gateway alone', async () => {
    for (const call of [
      () => fixture.bridge.listGroups({}),
      () => fixture.bridge.createGroup({ name: 'x' }),
      () => fixture.bridge.listNames({ userIds: [], groupIds: [] }),
      () => fixture.bridge.getUserByName({ username: 'otto', provider: ANY }),
    ]) {
      await expect(as<unknown>(mira, call)).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    }
  });
});

describe('ListReceivers OK', () => {
  it('says who is neither blocked nor deleted, and who is in a group', async () => {
    const groupId = await newGroup(mira, 'Told');
    await add(mira, groupId, 'otto');
    const blocked = await register(fixture, 'blocked');
    await add(mira, groupId, 'blocked');
    await fixture.query('UPDATE users SET blocked_at = now() WHERE id = $1', [String(blocked)]);
    const userIds = [mira, otto, ada, blocked, 999_999n];
    const sorted = (ids: readonly bigint[]) => [...ids].sort((a, b) => Number(a - b));
    const of = async (group: string) => {
      const { activeUserIds, memberUserIds } = await fixture.jobs.listReceivers({ userIds, groupId: group });
      return [sorted(activeUserIds), sorted(memberUserIds)];
    };
    expect(await of('')).toEqual([sorted([mira, otto, ada]), []]);
    expect(await of(groupId)).toEqual([sorted([mira, otto, ada]), sorted([mira, otto, blocked])]);
    expect(await of('unknown')).toEqual([sorted([mira, otto, ada]), []]);
  });
});

describe('ListReceivers INVALID_ARGUMENT', () => {
  it('takes a thousand users', async () => {
    const userIds = Array.from({ length: 1_001 }, (_, i) => BigInt(i));
    await expect(fixture.jobs.listReceivers({ userIds, groupId: '' })).rejects.toMatchObject({
      reason: 'FIELDS_INVALID',
      fields: [{ field: 'user_ids' }],
    });
  });
});
