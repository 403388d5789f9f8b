import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { createLogger } from '@tally/service-kit';
import { startOidcProvider } from '@tally/testkit';
import { runPasswordReset } from '../../src/service.js';
import {
  ADDRESS,
  type AuthFixture,
  as,
  ENCRYPTION_KEY,
  login,
  PASSWORD,
  register,
  sessionIdOf,
  startAuthFixture,
} from '../auth-fixture.js';
import { testAuthConfig } from '../start.js';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture({ registrationsPerAddressMax: 20 });
});
afterAll(() => fixture.stop());

const NEW_PASSWORD = 'staple of the battery';
const HOUR_MS = 60 * 60_000;

/** The link that the operator's command prints. */
async function linkFor(username: string) {
  const config = testAuthConfig({ databaseUrl: fixture.databaseUrl, encryptionKey: ENCRYPTION_KEY });
  const logger = createLogger({ service: 'auth', write: (line) => fixture.lines.push(line) });
  return runPasswordReset(config, logger, username);
}
const confirm = (token: string, newPassword = NEW_PASSWORD, remoteAddress = ADDRESS) =>
  fixture.gateway.confirmPasswordReset({ token, newPassword, remoteAddress });

describe('ConfirmPasswordReset OK', () => {
  it('sets the password, and ends every session and the tokens that end with them', async () => {
    const id = await register(fixture, 'forgetful');
    const session = await login(fixture, 'forgetful');
    const expiresAt = new Date(Date.now() + HOUR_MS);
    const token = (isEndedWithSessions: boolean) =>
      as(id, () =>
        fixture.gateway.createApiToken({
          name: 't',
          scopes: [auth.TokenScope.TOKEN_SCOPE_READ],
          expiresAt,
          isEndedWithSessions,
        }),
      );
    const [bound, free] = [await token(true), await token(false)];
    const link = await linkFor('forgetful');
    await fixture.gateway.createAccessToken({ refreshToken: session.refreshToken }); // nothing ends before the link is used
    await confirm(link.token);
    await expect(fixture.gateway.createAccessToken({ refreshToken: session.refreshToken })).rejects.toMatchObject({
      reason: 'SESSION_INVALID',
    });
    const { sessionIds } = await fixture.gateway.listEndedSessions({});
    expect(sessionIds).toContain(await sessionIdOf(fixture, session.accessToken));
    await expect(fixture.gateway.getApiTokenOwner({ text: bound.text })).rejects.toMatchObject({
      reason: 'TOKEN_INVALID',
    });
    await fixture.gateway.getApiTokenOwner({ text: free.text });
    await expect(login(fixture, 'forgetful', PASSWORD)).rejects.toMatchObject({ reason: 'CREDENTIALS_WRONG' });
    await login(fixture, 'forgetful', NEW_PASSWORD);
    for (const event of ['auth.password.reset_created', 'auth.password.reset']) {
      expect(fixture.audit()).toContainEqual(expect.objectContaining({ event, user_id: String(id) }));
    }
  });

  it('keeps the hash of a token of 256 bits, and neither database nor log has the token', async () => {
    await register(fixture, 'hashed');
    const { token, expiresAt } = await linkFor('hashed');
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(HOUR_MS - 60_000);
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(HOUR_MS + 60_000);
    const hash = createHash('sha256').update(token).digest();
    const rows = await fixture.query('SELECT * FROM one_time_links WHERE token_hash = $1', [hash]);
    expect(rows).toHaveLength(1);
    expect(
      JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(token);
    expect(fixture.lines.join('\n')).not.toContain(token);
  });

  it('lets one of two uses at once win', async () => {
    await register(fixture, 'twice');
    const { token } = await linkFor('twice');
    const outcomes = await Promise.allSettled([confirm(token, 'first new password'), confirm(token, 'second new one')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('ConfirmPasswordReset INVALID_ARGUMENT', () => {
  it('refuses a short password and leaves the link as it is', async () => {
    await register(fixture, 'short');
    const { token } = await linkFor('short');
    await expect(confirm(token, 'short')).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      fields: [{ field: 'new_password' }],
    });
    await confirm(token);
  });
});

describe('ConfirmPasswordReset FAILED_PRECONDITION', () => {
  const isInvalid = { status: 'FAILED_PRECONDITION', reason: 'LINK_INVALID' };

  it('refuses a link that is used, replaced, guessed or no token at all', async () => {
    await register(fixture, 'used');
    const replaced = await linkFor('used');
    const { token } = await linkFor('used');
    await expect(confirm(replaced.token)).rejects.toMatchObject(isInvalid);
    await confirm(token);
    for (const other of [token, Buffer.alloc(32, 7).toString('base64url'), '', 'x'.repeat(10_000)]) {
      await expect(confirm(other)).rejects.toMatchObject(isInvalid);
    }
  });

  it('refuses a link after an hour, and after a change of the password', async () => {
    const id = await register(fixture, 'late');
    const late = await linkFor('late');
    await fixture.query('UPDATE one_time_links SET expires_at = now() WHERE user_id = $1', [String(id)]);
    await expect(confirm(late.token)).rejects.toMatchObject(isInvalid);
    const { token } = await linkFor('late');
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, sessionId: '' };
    await as(id, () => fixture.gateway.updateUser(change));
    await expect(confirm(token)).rejects.toMatchObject(isInvalid);
  });
});

describe('ConfirmPasswordReset RESOURCE_EXHAUSTED', () => {
  it('limits the uses of links from an address', async () => {
    await register(fixture, 'hunted');
    const { token } = await linkFor('hunted');
    const elsewhere = '198.51.100.7';
    for (let i = 0; i < 20; i++) await confirm('guess', NEW_PASSWORD, elsewhere).catch(() => undefined);
    await expect(confirm(token, NEW_PASSWORD, elsewhere)).rejects.toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      reason: 'THROTTLED',
    });
    await confirm(token);
  });
});

describe('the command create-password-reset', () => {
  it('has no link for a name that nobody has, or whose password the realm keeps', async () => {
    await expect(linkFor('nobody')).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
    const realm = await startOidcProvider();
    const copy = await fixture.addCopy({ ssoIssuerUrl: realm.issuer, ssoAudience: realm.audience });
    const { accessToken: ssoToken } = await realm.login('of-the-realm');
    await copy.gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
    await expect(linkFor('of-the-realm')).rejects.toMatchObject({ reason: 'PASSWORD_NOT_LOCAL' });
    await realm.stop();
  });
});
