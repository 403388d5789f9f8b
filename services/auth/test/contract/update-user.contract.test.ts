import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { auth } from '@tally/contracts';
import { startOidcProvider } from '@tally/testkit';
import {
  ADDRESS,
  type AuthFixture,
  as,
  login,
  PASSWORD,
  register,
  sessionIdOf,
  startAuthFixture,
} from '../auth-fixture.js';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture({ failuresPerUserMax: 3 });
});
afterAll(() => fixture.stop());

const NEW_PASSWORD = 'staple of the battery';
const update = (userId: bigint, change: Partial<auth.UpdateUserRequest>) =>
  as(userId, () => fixture.gateway.updateUser({ sessionId: '', ...change }));

describe('UpdateUser OK', () => {
  it('changes the display name, and clears it', async () => {
    const id = await register(fixture, 'name');
    expect((await update(id, { displayName: 'Dr. 名前' })).user?.displayName).toBe('Dr. 名前');
    expect((await login(fixture, 'name')).user?.displayName).toBe('Dr. 名前');
    expect((await update(id, { displayName: '' })).user?.displayName).toBe('');
  });

  it('changes the password and ends all sessions but the one it was done in', async () => {
    const id = await register(fixture, 'change');
    const [here, there] = [await login(fixture, 'change'), await login(fixture, 'change')];
    const sessionId = await sessionIdOf(fixture, here.accessToken);
    await update(id, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, sessionId });
    await fixture.gateway.createAccessToken({ refreshToken: here.refreshToken });
    await expect(fixture.gateway.createAccessToken({ refreshToken: there.refreshToken })).rejects.toMatchObject({
      reason: 'SESSION_INVALID',
    });
    const { sessionIds } = await fixture.gateway.listEndedSessions({});
    expect(sessionIds).toContain(await sessionIdOf(fixture, there.accessToken));
    await expect(login(fixture, 'change')).rejects.toMatchObject({ reason: 'CREDENTIALS_WRONG' });
    await login(fixture, 'change', NEW_PASSWORD);
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({ event: 'auth.password.changed', user_id: String(id) }),
    );
  });

  it('lets one of two changes at once win', async () => {
    const id = await register(fixture, 'race');
    const changes = ['first new password', 'second new password'].map((newPassword) =>
      update(id, { currentPassword: PASSWORD, newPassword }),
    );
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('UpdateUser INVALID_ARGUMENT', () => {
  it('names the wrong fields', async () => {
    const id = await register(fixture, 'fields');
    const table: [Partial<auth.UpdateUserRequest>, string][] = [
      [{ displayName: 'x'.repeat(129) }, 'display_name'],
      [{ displayName: 'a\u0007b' }, 'display_name'],
      [{ currentPassword: PASSWORD, newPassword: 'short' }, 'new_password'],
      [{ currentPassword: PASSWORD, newPassword: 'x'.repeat(73) }, 'new_password'],
      [{ newPassword: NEW_PASSWORD }, 'current_password'],
      [{ currentPassword: PASSWORD }, 'new_password'],
    ];
    for (const [change, field] of table) {
      await expect(update(id, change)).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        reason: 'FIELDS_INVALID',
        fields: [{ field }],
      });
    }
  });

  it('refuses an update of nothing', async () => {
    const id = await register(fixture, 'nothing');
    await expect(update(id, {})).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'NOTHING_TO_CHANGE' });
  });
});

describe('UpdateUser UNAUTHENTICATED', () => {
  it('refuses a wrong current password and changes nothing, the display name neither', async () => {
    const id = await register(fixture, 'wrong');
    await expect(
      update(id, { displayName: 'New', currentPassword: 'not the password', newPassword: NEW_PASSWORD }),
    ).rejects.toMatchObject({ status: 'UNAUTHENTICATED', reason: 'PASSWORD_WRONG' });
    expect((await login(fixture, 'wrong')).user?.displayName).toBe('');
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({ event: 'auth.password.change_refused', reason: 'PASSWORD_WRONG' }),
    );
  });
});

describe('UpdateUser RESOURCE_EXHAUSTED', () => {
  it('limits guesses of the current password', async () => {
    const id = await register(fixture, 'guessed');
    for (let i = 0; i < 3; i++) {
      await expect(update(id, { currentPassword: `guess ${i}`, newPassword: NEW_PASSWORD })).rejects.toMatchObject({
        reason: 'PASSWORD_WRONG',
      });
    }
    await expect(update(id, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })).rejects.toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      reason: 'THROTTLED',
    });
    await update(id, { displayName: 'still free' });
  });
});

describe('UpdateUser FAILED_PRECONDITION', () => {
  it('has no password of a single-sign-on user to change', async () => {
    const realm = await startOidcProvider();
    const copy = await fixture.addCopy({ ssoIssuerUrl: realm.issuer, ssoAudience: realm.audience });
    const { accessToken: ssoToken } = await realm.login('sso-user');
    const { session } = await copy.gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
    const id = session?.user?.userId ?? 0n;
    await expect(update(id, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })).rejects.toMatchObject({
      status: 'FAILED_PRECONDITION',
      reason: 'PASSWORD_NOT_LOCAL',
    });
    expect((await update(id, { displayName: 'Sso' })).user?.displayName).toBe('Sso');
    await realm.stop();
  });
});

describe('UpdateUser NOT_FOUND', () => {
  it('says that there is no such user', async () => {
    await expect(update(999_999n, { displayName: 'x' })).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });
});
