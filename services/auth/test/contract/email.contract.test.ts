import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MailServerUnderTest, startMailServer, startOidcProvider, waitFor } from '@tally/testkit';
import { ADDRESS, type AuthFixture, as, login, mannWhitneyZ, register, startAuthFixture } from '../auth-fixture.js';
import { goodClaims } from '../sso-tokens.js';

const PUBLIC_URL = 'https://tally.example.org';
/** Longer than the work of a request by far. */
const ANSWER_MS = 60;
let server: MailServerUnderTest;
let fixture: AuthFixture;
let silent: AuthFixture;
beforeAll(async () => {
  server = await startMailServer();
  fixture = await startAuthFixture({
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    smtpFrom: 'tally@example.org',
    publicUrl: PUBLIC_URL,
    resetAnswerMs: ANSWER_MS,
    failuresPerAddressMax: 1_000,
  });
  silent = await startAuthFixture();
});
afterAll(async () => {
  await fixture.stop();
  await silent.stop();
  await server.stop();
});

const updateEmail = (userId: bigint, email: string) => as(userId, () => fixture.gateway.updateEmail({ email }));
const emailOf = async (userId: bigint) => (await as(userId, () => fixture.gateway.getEmail({}))).email;
const confirm = (token: string) => fixture.gateway.confirmEmail({ token, remoteAddress: ADDRESS });
const requestReset = (username: string) => fixture.gateway.requestPasswordReset({ username, remoteAddress: ADDRESS });
const isInvalid = { status: 'FAILED_PRECONDITION', reason: 'LINK_INVALID' };

/** The token of the last mail to an address. */
async function tokenTo(email: string, count = 1): Promise<string> {
  const mails = () => server.mails.filter(({ to }) => to.includes(email));
  await waitFor(() => mails().length === count, { what: `mail ${count} to ${email}` });
  const text = mails().at(-1)?.part('text/plain')?.toString() ?? '';
  const [, token = ''] = /https:\/\/tally\.example\.org\/console\/(?:email|password)#([\w-]{43})/.exec(text) ?? [];
  return token;
}

/** A user with a confirmed address. */
async function addressee(name: string): Promise<bigint> {
  const userId = await register(fixture, name);
  await updateEmail(userId, `${name}@example.org`);
  await confirm(await tokenTo(`${name}@example.org`));
  return userId;
}

describe('UpdateEmail, ConfirmEmail OK', () => {
  it('make an address the one of its user by a mailed link, which works once', async () => {
    const userId = await register(fixture, 'mira');
    await updateEmail(userId, ' mira@example.org ');
    const token = await tokenTo('mira@example.org');
    expect(await emailOf(userId)).toBeUndefined();
    expect(await confirm(token)).toEqual({ email: 'mira@example.org' });
    expect(await emailOf(userId)).toBe('mira@example.org');
    await expect(confirm(token)).rejects.toMatchObject(isInvalid);
    await updateEmail(userId, 'other@example.org');
    expect(await emailOf(userId)).toBe('mira@example.org'); // until the other one is confirmed
    await updateEmail(userId, '');
    expect(await emailOf(userId)).toBeUndefined();
  });

  it('take away the links of a user who has taken the address away', async () => {
    const userId = await register(fixture, 'undecided');
    await updateEmail(userId, 'undecided@example.org');
    const token = await tokenTo('undecided@example.org');
    await updateEmail(userId, '');
    await expect(confirm(token)).rejects.toMatchObject(isInvalid);
  });

  it('keep the address of the realm, unless its user gives another one, or the realm says that nobody has confirmed it', async () => {
    const realm = await startOidcProvider();
    const copy = await fixture.addCopy({ ssoIssuerUrl: realm.issuer, ssoAudience: realm.audience });
    const signIn = async (claims: object) => {
      const ssoToken = realm.sign({ ...goodClaims(realm, 'sso-mira'), ...claims });
      const { session } = await copy.gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
      return session?.user?.userId ?? 0n;
    };
    const userId = await signIn({ email: 'guess@realm.example', email_verified: false });
    expect(await emailOf(userId)).toBeUndefined();
    await signIn({ email: 'mira@realm.example' });
    expect(await emailOf(userId)).toBe('mira@realm.example');
    await signIn({ email: 'mira.b@realm.example', email_verified: true });
    expect(await emailOf(userId)).toBe('mira.b@realm.example');
    await updateEmail(userId, 'own@example.org');
    await confirm(await tokenTo('own@example.org'));
    await signIn({ email: 'mira.c@realm.example' });
    expect(await emailOf(userId)).toBe('own@example.org');
    await realm.stop();
  });
});

describe('UpdateEmail INVALID_ARGUMENT', () => {
  it('refuses what is no single address', async () => {
    const userId = await register(fixture, 'typo');
    for (const email of [
      'ada',
      'a@b@c',
      'a b@c.org',
      'a@c.org,b@c.org',
      'a@c.org\r\nBcc: b@c.org',
      `${'x'.repeat(65)}@c.org`,
    ]) {
      await expect(updateEmail(userId, email)).rejects.toMatchObject({ fields: [{ field: 'email' }] });
    }
  });
});

describe('UpdateEmail FAILED_PRECONDITION, RequestPasswordReset FAILED_PRECONDITION', () => {
  it('say that this deployment sends no mail', async () => {
    const userId = await register(silent, 'mute');
    const isDisabled = { status: 'FAILED_PRECONDITION', reason: 'MAIL_DISABLED' };
    await expect(as(userId, () => silent.gateway.updateEmail({ email: 'a@b.org' }))).rejects.toMatchObject(isDisabled);
    const request = { username: 'mute', remoteAddress: ADDRESS };
    await expect(silent.gateway.requestPasswordReset(request)).rejects.toMatchObject(isDisabled);
    expect(await as(userId, () => silent.gateway.getEmail({}))).toEqual({ isMailing: false });
  });
});

describe('UpdateEmail RESOURCE_EXHAUSTED', () => {
  it('floods no mailbox, by one user or by several', async () => {
    for (let i = 0; i < 5; i++) {
      await updateEmail(await register(fixture, `flood-${i}`), 'victim@example.org');
    }
    const userId = await register(fixture, 'flood-more');
    const isThrottled = { status: 'RESOURCE_EXHAUSTED', reason: 'THROTTLED' };
    await expect(updateEmail(userId, 'Victim@example.org')).rejects.toMatchObject(isThrottled);
    for (let i = 0; i < 4; i++) await updateEmail(userId, `other-${i}@example.org`);
    await updateEmail(userId, 'other-4@example.org').catch(() => undefined);
    await expect(updateEmail(userId, 'other-5@example.org')).rejects.toMatchObject(isThrottled);
  });
});

describe('RequestPasswordReset OK', () => {
  it('mails a link to a new password to the confirmed address, and neither database nor log has its token', async () => {
    await addressee('lost');
    await requestReset('lost');
    const token = await tokenTo('lost@example.org', 2);
    const rows = JSON.stringify(await fixture.query('SELECT kind, content, answer FROM mails'));
    expect(rows).toContain('password_reset');
    expect(rows + fixture.lines.join('\n')).not.toContain(token);
    await fixture.gateway.confirmPasswordReset({ token, newPassword: 'staple battery', remoteAddress: ADDRESS });
    await login(fixture, 'lost', 'staple battery');
  });

  it('answers alike, and equally long, for a user, for one without an address, and for nobody', async () => {
    const pairs = 40;
    const names = { known: 'many-known', bare: 'many-bare' };
    for (const name of Object.values(names)) await register(fixture, name);
    await fixture.query("UPDATE users SET email = 'many@example.org' WHERE username = 'many-known'");
    const forget = () => fixture.query("DELETE FROM throttles WHERE scope = 'reset_user'");
    const durationOf = async (username: string) => {
      await forget();
      const from = performance.now();
      expect(await requestReset(username)).toEqual({});
      return performance.now() - from;
    };
    await durationOf('warm-up');
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < pairs; pair++) {
      const isKnownFirst = pair % 2 === 0;
      if (isKnownFirst) known.push(await durationOf(names.known));
      unknown.push(await durationOf(pair % 4 < 2 ? names.bare : 'many-nobody'));
      if (!isKnownFirst) known.push(await durationOf(names.known));
    }
    expect(Math.abs(mannWhitneyZ(known, unknown))).toBeLessThan(5);
    expect(Math.min(...known, ...unknown)).toBeGreaterThan(ANSWER_MS * 0.9);
  }, 60_000);
});

describe('RequestPasswordReset RESOURCE_EXHAUSTED', () => {
  it('limits requests for a name, whether or not somebody has it', async () => {
    await register(fixture, 'pursued');
    for (const name of ['pursued', 'pursued-nobody']) {
      for (let i = 0; i < 5; i++) await requestReset(name);
      await expect(requestReset(name)).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED', reason: 'THROTTLED' });
    }
  });
});
