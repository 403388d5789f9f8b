import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tally/service-kit';
import { startCertificateProxy, startOidcProvider } from '@tally/testkit';
import { runRotation } from '../../src/service.js';
import {
  ADDRESS,
  type AuthCopy,
  type AuthFixture,
  as,
  ENCRYPTION_KEY,
  endSession,
  login,
  PASSWORD,
  register,
  sessionIdOf,
  startAuthFixture,
  verify,
} from '../auth-fixture.js';
import { testAuthConfig } from '../start.js';

let fixture: AuthFixture;
let second: AuthCopy;
let mira: bigint;
beforeAll(async () => {
  fixture = await startAuthFixture({ failuresPerUserMax: 4 });
  second = await fixture.addCopy();
  mira = await register(fixture, 'mira');
});
afterAll(() => fixture.stop());

describe('two copies of auth on one database', () => {
  it('take each other’s users, tokens and sessions', async () => {
    const session = await login(second, 'mira');
    await verify(fixture, session.accessToken);
    const { accessToken } = await fixture.gateway.createAccessToken({ refreshToken: session.refreshToken });
    await verify(second, accessToken);
    const sessionId = await sessionIdOf(fixture, accessToken);
    await as(mira, () => endSession(second, sessionId));
    await expect(fixture.gateway.createAccessToken({ refreshToken: session.refreshToken })).rejects.toMatchObject({
      reason: 'SESSION_INVALID',
    });
    for (const copy of [fixture, second]) {
      expect((await copy.gateway.listEndedSessions({})).sessionIds).toContain(sessionId);
    }
  });

  it('count failures together, and a restart does not forget them', async () => {
    await register(fixture, 'target');
    const attempt = (copy: AuthCopy, i: number) =>
      login(copy, 'target', 'wrong password', `10.0.0.${i}`).catch((err: { reason: string }) => err.reason);
    const reasons = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((i) => attempt(i % 2 ? fixture : second, i)));
    expect(reasons.filter((reason) => reason === 'CREDENTIALS_WRONG')).toHaveLength(4);
    const third = await fixture.addCopy();
    expect(await attempt(third, 8)).toBe('THROTTLED');
    await third.stop();
  });

  it('let a session outlive the restart of all of them', async () => {
    const other = await startAuthFixture();
    await register(other, 'otto');
    const session = await login(other, 'otto');
    const kids = (await other.gateway.listSigningKeys({})).keys.map(({ kid }) => kid);
    await other.stopFirst();
    const successor = await other.addCopy();
    await verify(successor, session.accessToken);
    await successor.gateway.createAccessToken({ refreshToken: session.refreshToken });
    expect((await successor.gateway.listSigningKeys({})).keys.map(({ kid }) => kid)).toEqual(kids);
    await other.stop();
  });
});

describe('the database and the log', () => {
  it('hold no password, token or private key', async () => {
    const realm = await startOidcProvider();
    const proxy = await startCertificateProxy({ issuer: realm.issuer, audience: realm.audience });
    const sso = { ssoIssuerUrl: realm.issuer, ssoAudience: realm.audience, certProxyUrl: proxy.url };
    const copy = await fixture.addCopy(sso);
    const secrets = [PASSWORD, 'the wrong password of a guess', 'a new password for searching'];
    const seeker = await register(copy, 'seeker');
    const local = await login(copy, 'seeker');
    await login(copy, 'seeker', 'the wrong password of a guess').catch(() => undefined);
    const sessionId = await sessionIdOf(copy, local.accessToken);
    const change = { currentPassword: PASSWORD, newPassword: 'a new password for searching', sessionId };
    await as(seeker, () => copy.gateway.updateUser(change));
    const { accessToken: ssoToken } = await realm.login('mira');
    const { session } = await copy.gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
    const request = {
      userId: session?.user?.userId ?? 0n,
      jobId: '20260601-120000-00000000-0000-4000-8000-000000000000',
    };
    const credential = await copy.bridge.getClusterCredential(request);
    await runRotation(
      testAuthConfig({ databaseUrl: fixture.databaseUrl, encryptionKey: ENCRYPTION_KEY }),
      silentLogger,
      false,
    );
    for (const { accessToken, refreshToken } of [local, session ?? local]) {
      secrets.push(refreshToken, accessToken, accessToken.split('.')[2] ?? '');
    }
    secrets.push(
      ssoToken,
      ssoToken.split('.')[2] ?? '',
      credential.certificate,
      ...credential.privateKey.split('\n').slice(1, 3),
    );
    secrets.push(ENCRYPTION_KEY[0].key.toString('base64'), '-----BEGIN', 'PRIVATE KEY');

    const places = [fixture.lines.join('\n'), await dump(fixture)];
    expect(places[1]).toContain('seeker'); // the dump is one
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(8);
      for (const text of [secret, Buffer.from(secret).toString('hex')]) {
        for (const place of places) expect(place.includes(text)).toBe(false);
      }
    }
    await copy.stop();
    await proxy.stop();
    await realm.stop();
  });
});

/** Every table as text, bytes in hex. */
async function dump(fixture: AuthFixture): Promise<string> {
  const tables = await fixture.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  const texts: string[] = [];
  for (const { tablename } of tables) {
    const rows = await fixture.query(`SELECT t::text AS row FROM "${String(tablename)}" t`);
    texts.push(...rows.map(({ row }) => String(row)));
  }
  return texts.join('\n');
}
