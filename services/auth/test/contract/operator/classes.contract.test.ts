import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authOperator } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import {
  ADDRESS,
  type AuthFixture,
  as,
  asOperator,
  login,
  PASSWORD,
  register,
  startAuthFixture,
} from '../../auth-fixture.js';

let fixture: AuthFixture;
let root: bigint;
const DAY_MS = 86_400_000;
const { USER_STATE_ACTIVE, USER_STATE_BLOCKED, USER_STATE_DELETED } = authOperator.UserState;
const wanted = (more: Partial<authOperator.PrepareClassRequest> = {}) => ({
  name: 'Dosimetry',
  usernames: ['Mira', 'Anton'],
  endTime: new Date(Date.now() + 30 * DAY_MS),
  isDeletedAtEnd: false,
  ...more,
});
/** As the gateway does: prepares, and creates. */
const make = (
  more: Partial<authOperator.PrepareClassRequest> = {},
  as = (work: () => Promise<Made>) => asOperator(root, work),
) =>
  as(async () => {
    const prepared = await fixture.operator.prepareClass(wanted(more));
    return fixture.operator.createClass({ ...wanted(more), ...prepared });
  });
type Made = authOperator.CreateClassResponse;
const list = async () => (await asOperator(root, () => fixture.operator.listClasses({ classId: '' }))).classes;
const join = (link: string, newPassword = PASSWORD) =>
  fixture.gateway.confirmPasswordReset({ token: link.split('#')[1] ?? '', newPassword, remoteAddress: ADDRESS });

beforeAll(async () => {
  fixture = await startAuthFixture();
  root = await register(fixture, 'root');
  await fixture.stopFirst();
  const first = fixture;
  const copy = await fixture.addCopy({ operators: ['root', 'boss'], teachers: ['head'] });
  fixture = { ...fixture, ...copy, stop: () => first.stop() };
});
afterAll(() => fixture.stop());

describe('CreateClass OK', () => {
  it('makes accounts that open by their links alone, and a group of them that the operator manages', async () => {
    const made = await make();
    expect(made.invitations.map(({ username }) => username)).toEqual(['Mira', 'Anton']);
    for (const { expiresAt } of made.invitations) {
      expect((expiresAt?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(14 * DAY_MS);
    }
    await expect(login(fixture, 'Mira')).rejects.toMatchObject({ reason: 'CREDENTIALS_WRONG' });
    const [mira, anton] = made.invitations;
    await join(mira?.link ?? '');
    await login(fixture, 'Mira');
    await expect(join(mira?.link ?? '')).rejects.toMatchObject({ reason: 'LINK_INVALID' });
    const [one] = await list();
    expect(one).toMatchObject({ name: 'Dosimetry', isEnded: false, isDeletedAtEnd: false });
    expect(one?.students.map(({ user, lastLoginTime }) => [user?.username, lastLoginTime !== undefined])).toEqual([
      ['Anton', false],
      ['Mira', true],
    ]);
    const groups = async (userId: bigint) => (await as(userId, () => fixture.gateway.listGroups({}))).groups;
    expect(await groups(root)).toMatchObject([{ groupId: made.class?.groupId, name: 'Dosimetry' }]);
    expect(await groups(anton?.userId ?? 0n)).toHaveLength(1);
    const kept = await fixture.query('SELECT token_hash FROM one_time_links');
    expect(JSON.stringify(kept)).not.toContain(anton?.link.split('#')[1]);
  });

  it('ends on its day: accounts are blocked or deleted, and links die', async () => {
    const [kept, deleted] = [
      await make({ name: 'kept', usernames: ['kept-1'] }),
      await make({ name: 'deleted', usernames: ['gone-1'], isDeletedAtEnd: true }),
    ];
    await join(kept.invitations[0]?.link ?? '');
    await login(fixture, 'kept-1');
    await fixture.query("UPDATE classes SET ends_at = now() WHERE name IN ('kept', 'deleted')");
    await fixture.addCopy({ operators: ['root'] }); // cleans up at its start
    const states = async () => {
      const classes = (await list()).filter(({ name }) => name === 'kept' || name === 'deleted');
      return classes.every(({ isEnded }) => isEnded) && classes.map(({ students }) => students[0]?.state);
    };
    expect(await waitFor(states, { what: 'the end of the classes' })).toEqual([USER_STATE_DELETED, USER_STATE_BLOCKED]);
    await expect(login(fixture, 'kept-1')).rejects.toMatchObject({ reason: 'USER_BLOCKED' });
    await expect(join(deleted.invitations[0]?.link ?? '')).rejects.toMatchObject({ reason: 'LINK_INVALID' });
    expect((await list()).find(({ name }) => name === 'Dosimetry')?.students[0]?.state).toBe(USER_STATE_ACTIVE);
  });
});

describe('CreateClass INVALID_ARGUMENT, ALREADY_EXISTS', () => {
  it('names every fault, and makes nothing', async () => {
    const faults = make({ name: ' ', usernames: ['a', 'a', '', 'boss', 'head'], endTime: new Date(0) });
    await expect(faults).rejects.toMatchObject({
      reason: 'FIELDS_INVALID',
      fields: [
        { field: 'name' },
        { field: 'ends_at' },
        { field: 'usernames/1' },
        { field: 'usernames/2' },
        { field: 'usernames/3' },
        { field: 'usernames/4' },
      ],
    });
    const many = Array.from({ length: 201 }, (_, i) => `student ${i}`);
    await expect(make({ usernames: many })).rejects.toMatchObject({ fields: [{ field: 'usernames' }] });
    const taken = make({ usernames: ['new one', 'Mira'] });
    await expect(taken).rejects.toMatchObject({ reason: 'USERNAME_TAKEN', fields: [{ field: 'usernames/1' }] });
    await expect(login(fixture, 'new one')).rejects.toMatchObject({ reason: 'CREDENTIALS_WRONG' });
    expect(await fixture.query("SELECT 1 FROM users WHERE username = 'new one'")).toEqual([]);
    const raced = await asOperator(root, () => fixture.operator.prepareClass(wanted({ usernames: ['early'] })));
    await register(fixture, 'early');
    const late = asOperator(root, () =>
      fixture.operator.createClass({ ...wanted({ usernames: ['early'] }), ...raced }),
    );
    await expect(late).rejects.toMatchObject({ reason: 'USERNAME_TAKEN', fields: [{ field: 'usernames/0' }] });
    const forged = { ...wanted({ usernames: ['one', 'two'] }), ...raced };
    const made = asOperator(root, () => fixture.operator.createClass(forged));
    await expect(made).rejects.toMatchObject({ fields: [{ field: 'user_ids' }] });
  });
});
