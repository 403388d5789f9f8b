import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { silentLogger } from '@tally/service-kit';
import { type OidcProvider, startOidcProvider, subjectOf } from '@tally/testkit';
import { runRebind } from '../../src/service.js';
import {
  ADDRESS,
  type AuthCopy,
  type AuthFixture,
  login,
  register,
  startAuthFixture,
  verify,
} from '../auth-fixture.js';
import { forgedTokens, goodClaims } from '../sso-tokens.js';
import { type AuthOverrides, testAuthConfig } from '../start.js';

const REFUSED = { status: 'UNAUTHENTICATED', reason: 'SSO_TOKEN_INVALID' };
let realm: OidcProvider;
let fixture: AuthFixture;
/** Status of a server that takes requests and does not answer them. */
const NEVER = 0;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  realm = await startOidcProvider();
  fixture = await startAuthFixture({ ssoIssuerUrl: realm.issuer, ssoAudience: realm.audience });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
afterAll(async () => {
  await fixture.stop();
  await realm.stop();
});

async function ssoLogin(ssoToken: string, { gateway }: AuthCopy = fixture) {
  const { session } = await gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
  if (session?.user === undefined) throw new Error('no session came back');
  return { ...session, user: session.user };
}
const copyWith = async (overrides: AuthOverrides): Promise<AuthCopy> => {
  const copy = await fixture.addCopy(overrides);
  cleanUps.push(() => copy.stop());
  return copy;
};

describe('CreateSsoSession OK', () => {
  it('logs in whom the realm names, for 30 minutes, and creates the user once', async () => {
    const { accessToken: ssoToken } = await realm.login('mira');
    const first = await ssoLogin(ssoToken);
    expect(first.user).toMatchObject({ username: 'mira', provider: auth.AuthProvider.AUTH_PROVIDER_SSO });
    const claims = await verify(fixture, first.accessToken);
    expect(claims).toMatchObject({ sub: String(first.user.userId), provider: 'sso', username: 'mira' });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(1_800);
    expect((await ssoLogin(ssoToken)).user).toEqual(first.user);
    await fixture.gateway.createAccessToken({ refreshToken: first.refreshToken });
  });

  it('creates one user when the first logins come at once', async () => {
    const { accessToken } = await realm.login('many');
    const sessions = await Promise.all(Array.from({ length: 6 }, () => ssoLogin(accessToken)));
    expect(new Set(sessions.map(({ user }) => user.userId)).size).toBe(1);
  });

  it('keeps a local user of the same name apart', async () => {
    const local = await register(fixture, 'same');
    const { user } = await ssoLogin((await realm.login('same')).accessToken);
    expect(user.userId).not.toBe(local);
    expect((await login(fixture, 'same')).user?.userId).toBe(local);
  });

  it('follows the subject when the realm renames a user', async () => {
    const before = await ssoLogin((await realm.login('old-name')).accessToken);
    const renamed = { ...goodClaims(realm, 'old-name'), preferred_username: 'new-name' };
    const after = await ssoLogin(realm.sign(renamed));
    expect(after.user).toEqual({ ...before.user, username: 'new-name' });
  });

  it('takes a token that is for others too, or that our client asked for (azp)', async () => {
    const good = goodClaims(realm, 'mira');
    await ssoLogin(realm.sign({ ...good, aud: ['account', realm.audience] }));
    await ssoLogin(realm.sign({ ...good, aud: 'account', azp: realm.audience }));
    await ssoLogin(realm.sign({ ...good, typ: 'Bearer' }, { typ: 'JWT' }));
  });

  it('takes a token again while it is young: the same user, a session of its own', async () => {
    const token = realm.sign({ ...goodClaims(realm, 'repeated'), iat: Math.floor(Date.now() / 1_000) - 290 });
    const [first, second] = [await ssoLogin(token), await ssoLogin(token)];
    expect(second.user?.userId).toBe(first.user?.userId);
    expect(second.refreshToken).not.toBe(first.refreshToken);
  });

  it('tolerates a clock that differs by less than 30 s', async () => {
    const now = Math.floor(Date.now() / 1000);
    const good = goodClaims(realm, 'mira');
    await ssoLogin(realm.sign({ ...good, exp: now - 20 }));
    await ssoLogin(realm.sign({ ...good, nbf: now + 20, iat: now + 20 }));
  });

  it('takes the user name from another claim where that is configured', async () => {
    const copy = await copyWith({ ssoUsernameClaim: 'email' });
    const token = realm.sign({ ...goodClaims(realm, 'by-mail'), email: 'by@mail.example' });
    expect((await ssoLogin(token, copy)).user.username).toBe('by@mail.example');
  });

  it('lets nobody in under a name from the request', async () => {
    const victim = await ssoLogin((await realm.login('victim')).accessToken);
    const { accessToken: ssoToken } = await realm.login('attacker');
    const smuggled = { ssoToken, remoteAddress: ADDRESS, username: 'victim', preferred_username: 'victim' };
    const { session } = await fixture.gateway.createSsoSession(smuggled);
    expect(session?.user?.username).toBe('attacker');
    expect(session?.user?.userId).not.toBe(victim.user.userId);
  });
});

describe('CreateSsoSession UNAUTHENTICATED', () => {
  it('refuses every forged or broken token, and never with a fault of its own', async () => {
    const otherRealm = await startOidcProvider();
    cleanUps.push(() => otherRealm.stop());
    const tokens = await forgedTokens(realm, otherRealm);
    expect(tokens.length).toBeGreaterThanOrEqual(40);
    const [{ count: before } = {}] = await fixture.query('SELECT count(*) FROM sessions');
    const outcomes: [string, unknown][] = [];
    for (const { why, token } of tokens) {
      const reason = await ssoLogin(token).then(
        () => 'let in',
        (err: { reason: string; status: string }) => `${err.status} ${err.reason}`,
      );
      outcomes.push([why, reason]);
    }
    expect(outcomes).toEqual(tokens.map(({ why }) => [why, 'UNAUTHENTICATED SSO_TOKEN_INVALID']));
    const [{ count: after } = {}] = await fixture.query('SELECT count(*) FROM sessions');
    expect(after).toBe(before);
  });

  it('refuses a genuine token without the required claim', async () => {
    const good = goodClaims(realm, 'mira');
    const table: [string, object, boolean][] = [
      ['entitled', { entitled: true }, true],
      ['entitled', { entitled: false }, false],
      ['entitled', {}, false],
      ['groups=tally', { groups: ['staff', 'tally'] }, true],
      ['groups=tally', { groups: ['tally-admins'] }, false],
      ['groups=tally', { groups: 'tally' }, true],
      ['realm_access.roles=user', { realm_access: { roles: ['user'] } }, true],
      ['realm_access.roles=user', { realm_access: null }, false],
      ['https://example.org/role=user', { 'https://example.org/role': 'user' }, true],
      ['constructor', {}, false],
    ];
    for (const [ssoRequiredClaim, claims, isLetIn] of table) {
      const copy = await copyWith({ ssoRequiredClaim });
      const outcome = ssoLogin(realm.sign({ ...good, ...claims }), copy);
      if (isLetIn) await outcome;
      else await expect(outcome).rejects.toMatchObject({ status: 'UNAUTHENTICATED', reason: 'SSO_CLAIM_MISSING' });
    }
    const cause = 'the token has no claim groups=tally';
    expect(fixture.audit()).toContainEqual(expect.objectContaining({ reason: 'SSO_CLAIM_MISSING', cause }));
  });

  it.each([
    ['iss', { iss: 'https://other.example' }, 'unexpected "iss" claim value: {"iss":"https://other.example"}'],
    ['aud', { aud: 'another', azp: 'other' }, 'neither aud nor azp is '],
    ['typ', { typ: 'ID' }, '{"typ":"ID"}'],
    ['exp', { exp: 1 }, '"exp" claim timestamp check failed'],
    ['iat', { iat: 1 }, 'token is too old'],
  ])('tells the operator that claim %s is wrong', async (_claim, wrong, cause) => {
    await expect(ssoLogin(realm.sign({ ...goodClaims(realm, 'mira'), ...wrong }))).rejects.toMatchObject(REFUSED);
    expect(fixture.audit().at(-1)).toMatchObject({
      event: 'auth.session.refused',
      reason: 'SSO_TOKEN_INVALID',
      cause: expect.stringContaining(cause),
    });
  });

  it('leaves an audit line with the reason, and no token in any line', async () => {
    const { accessToken } = await realm.login('mira');
    await expect(ssoLogin(`${accessToken}x`)).rejects.toMatchObject(REFUSED);
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({ event: 'auth.session.refused', provider: 'sso', reason: 'SSO_TOKEN_INVALID' }),
    );
    const [, payload = ''] = accessToken.split('.');
    expect(fixture.lines.join('')).not.toContain(payload);
  });
});

describe('CreateSsoSession ALREADY_EXISTS', () => {
  it('gives nobody the account of another subject, though the realm gave the name to both', async () => {
    const first = await ssoLogin((await realm.login('reused')).accessToken);
    const another = { ...goodClaims(realm, 'reused'), sub: subjectOf('somebody else') };
    await expect(ssoLogin(realm.sign(another))).rejects.toMatchObject({
      status: 'ALREADY_EXISTS',
      reason: 'SSO_USERNAME_TAKEN',
    });
    expect((await ssoLogin((await realm.login('reused')).accessToken)).user).toEqual(first.user);
  });

  it('lets in whom an operator binds the account to, and ends what was open', async () => {
    const first = await ssoLogin((await realm.login('anew')).accessToken);
    const subject = subjectOf('anew, made again');
    const again = realm.sign({ ...goodClaims(realm, 'anew'), sub: subject });
    await expect(ssoLogin(again)).rejects.toMatchObject({ reason: 'SSO_USERNAME_TAKEN' });
    expect(fixture.audit().at(-1)).toMatchObject({ reason: 'SSO_USERNAME_TAKEN', username: 'anew', subject });
    const config = testAuthConfig({ databaseUrl: fixture.databaseUrl });
    expect(await runRebind(config, silentLogger, 'nobody', subject)).toBe(false);
    expect(await runRebind(config, silentLogger, 'anew', subject)).toBe(true);
    expect((await ssoLogin(again)).user).toEqual(first.user);
    await expect(fixture.gateway.createAccessToken({ refreshToken: first.refreshToken })).rejects.toMatchObject({
      status: 'UNAUTHENTICATED',
    });
  });
});

describe('CreateSsoSession PERMISSION_DENIED', () => {
  it('says that single sign-on is off where no realm is configured', async () => {
    const { accessToken } = await realm.login('mira');
    const copy = await copyWith({ ssoIssuerUrl: '' });
    await expect(ssoLogin(accessToken, copy)).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'SSO_DISABLED',
    });
  });
});

describe('CreateSsoSession INTERNAL', () => {
  /** A server that answers every path in the same way, or not at all. */
  async function answering(status: number, body: string): Promise<string> {
    const server: Server = createServer((_req, res) => {
      if (status !== NEVER) res.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUps.push(async () => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('says so when the realm does not answer as a realm does', async () => {
    const token = realm.sign(goodClaims(realm, 'mira'));
    const issuers = [
      'http://127.0.0.1:1',
      await answering(500, 'broken'),
      await answering(302, ''),
      await answering(200, 'no JSON'),
      await answering(200, 'null'),
      await answering(200, '[]'),
      await answering(200, JSON.stringify({ issuer: 'https://elsewhere.example', jwks_uri: `${realm.issuer}/jwks` })),
      await answering(200, `"${'x'.repeat(600_000)}"`),
      await answering(NEVER, ''),
    ];
    for (const ssoIssuerUrl of issuers) {
      const copy = await copyWith({ ssoIssuerUrl, ssoRealmTimeoutMs: 300 });
      await expect(ssoLogin(token, copy)).rejects.toMatchObject({
        status: 'INTERNAL',
        reason: 'SSO_REALM_UNAVAILABLE',
      });
    }
  });

  it('comes back with the realm, and learns its new keys from the first token that names them', async () => {
    const first = await startOidcProvider();
    const copy = await copyWith({ ssoIssuerUrl: first.issuer, ssoKeysIntervalMinMs: 0 });
    const old = (await first.login('mira')).accessToken;
    await ssoLogin(old, copy);
    await first.stop();
    const second = await startOidcProvider({ port: first.port });
    cleanUps.push(() => second.stop());
    await ssoLogin((await second.login('mira')).accessToken, copy);
    await expect(ssoLogin(old, copy)).rejects.toMatchObject(REFUSED);
  });
});
