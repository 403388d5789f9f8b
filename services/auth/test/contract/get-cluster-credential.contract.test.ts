import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newJobId, silentLogger } from '@tally/service-kit';
import {
  type CertificateProxy,
  type OidcProvider,
  startCertificateProxy,
  startOidcProvider,
  waitFor,
} from '@tally/testkit';
import { runReseal } from '../../src/service.js';
import { ADDRESS, type AuthCopy, type AuthFixture, as, ENCRYPTION_KEY, startAuthFixture } from '../auth-fixture.js';
import { testAuthConfig } from '../start.js';

const jobId = newJobId(new Date());
let realm: OidcProvider;
let proxy: CertificateProxy;
let fixture: AuthFixture;
/** Status of a server that takes requests and does not answer them. */
const NEVER = 0;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  realm = await startOidcProvider();
  proxy = await startCertificateProxy({ issuer: realm.issuer, audience: realm.audience });
  const sso = { ssoIssuerUrl: realm.issuer, ssoAudience: realm.audience };
  fixture = await startAuthFixture({ ...sso, certProxyUrl: proxy.url });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
afterAll(async () => {
  await fixture.stop();
  await proxy.stop();
  await realm.stop();
});

/** Logs a user of the realm in; gives the user's id. */
async function ssoLogin(username: string, { gateway }: AuthCopy = fixture): Promise<bigint> {
  const { accessToken: ssoToken } = await realm.login(username);
  const { session } = await gateway.createSsoSession({ ssoToken, remoteAddress: ADDRESS });
  return session?.user?.userId ?? 0n;
}
const read = (userId: bigint) => fixture.bridge.getClusterCredential({ userId, jobId });

/** A certificate proxy that answers as told, or not at all. */
async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_req, res) => {
    if (status !== NEVER) res.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('GetClusterCredential OK', () => {
  it('gives the login name, the certificate and the key of the last login, and audits the read with its job', async () => {
    const userId = await ssoLogin('mira');
    const first = await read(userId);
    const text = execFileSync('ssh-keygen', ['-L', '-f', '-'], { input: first.certificate, encoding: 'utf8' });
    expect(text).toMatch(/Principals:\s+mira\s/);
    expect(first.username).toBe('mira');
    expect(first.privateKey).toMatch(
      /^-----BEGIN OPENSSH PRIVATE KEY-----\n[\s\S]+-----END OPENSSH PRIVATE KEY-----\n$/,
    );
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({
        event: 'auth.credential.read',
        user_id: String(userId),
        job_id: jobId,
        caller: 'batch-bridge',
      }),
    );
    await ssoLogin('mira');
    const second = await read(userId);
    expect(second.privateKey).not.toBe(first.privateKey);
    const log = fixture.lines.join('');
    for (const { privateKey, certificate } of [first, second]) {
      expect(log).not.toContain(privateKey.split('\n')[2]);
      expect(log).not.toContain(certificate.split(' ')[1]);
    }
  });

  it('is kept sealed: neither readable in the database nor usable in another row', async () => {
    const [mira, otto] = [await ssoLogin('mira'), await ssoLogin('otto')];
    const { privateKey } = await read(mira);
    const rows = await fixture.query('SELECT sealed, encryption_key_id FROM cluster_credentials');
    for (const { sealed, encryption_key_id } of rows) {
      expect(encryption_key_id).toBe('first');
      expect((sealed as Buffer).includes(privateKey.slice(40, 80))).toBe(false);
    }
    await fixture.query(
      'UPDATE cluster_credentials SET sealed = (SELECT sealed FROM cluster_credentials WHERE user_id = $1) WHERE user_id = $2',
      [mira, otto],
    );
    await expect(read(otto)).rejects.toMatchObject({ status: 'INTERNAL', message: 'internal error' });
    await ssoLogin('otto');
    await read(otto);
  });

  it('survives the replacement of the encryption key', async () => {
    const userId = await ssoLogin('resealed');
    const before = await read(userId);
    const next = { id: 'second', key: Buffer.alloc(32, 9) };
    const config = testAuthConfig({ databaseUrl: fixture.databaseUrl, encryptionKey: [next, ...ENCRYPTION_KEY] });
    expect(await runReseal(config, silentLogger)).toBeGreaterThan(0);
    const rows = await fixture.query('SELECT DISTINCT encryption_key_id FROM cluster_credentials');
    expect(rows).toEqual([{ encryption_key_id: 'second' }]);
    const copy = await fixture.addCopy({ encryptionKey: [next] });
    expect(await copy.bridge.getClusterCredential({ userId, jobId })).toEqual(before);
    const back = { ...config, encryptionKey: [...ENCRYPTION_KEY, next] as const };
    expect(await runReseal(back as unknown as typeof config, silentLogger)).toBeGreaterThan(0);
    expect(await read(userId)).toEqual(before);
  });

  it('is still the earlier one after a login for which the proxy failed', async () => {
    const userId = await ssoLogin('unlucky');
    const before = await read(userId);
    const pair = JSON.stringify({ cert: 'ssh-ed25519 AAAA', private: 'none' });
    const noCertificate = { cert: before.certificate.slice(0, 200), private: before.privateKey };
    const failures = [
      { certProxyUrl: 'http://127.0.0.1:1/' },
      { certProxyUrl: await answering(401, '') },
      { certProxyUrl: await answering(500, 'sorry') },
      { certProxyUrl: await answering(200, 'no JSON') },
      { certProxyUrl: await answering(200, pair) },
      { certProxyUrl: await answering(200, JSON.stringify(noCertificate)) },
      { certProxyUrl: await answering(200, '"'.padEnd(100_000, 'x')) },
      { certProxyUrl: await answering(NEVER, ''), certProxyTimeoutMs: 200 },
    ];
    for (const failure of failures) {
      const copy = await fixture.addCopy(failure);
      expect(await ssoLogin('unlucky', copy)).toBe(userId);
      await copy.stop();
    }
    expect(await read(userId)).toEqual(before);
    const lines = fixture.audit().filter((line) => line.event === 'auth.credential.unavailable');
    expect(lines).toHaveLength(failures.length);
  });
});

describe('GetClusterCredential NOT_FOUND', () => {
  it('says that there is none, and audits that', async () => {
    const copy = await fixture.addCopy({ certProxyUrl: '' });
    const userId = await ssoLogin('without', copy);
    for (const id of [userId, 999_999n]) {
      await expect(read(id)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'CREDENTIAL_NOT_FOUND' });
    }
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({ event: 'auth.credential.refused', user_id: String(userId), job_id: jobId }),
    );
  });
});

describe('GetClusterCredential NOT_FOUND after the end of the certificate', () => {
  it('gives no expired certificate, and the clean-up deletes its key', async () => {
    const userId = await ssoLogin('expiring');
    const [{ expires_at: expiresAt } = {}] = await fixture.query(
      'SELECT expires_at FROM cluster_credentials WHERE user_id = $1',
      [userId],
    );
    expect(Math.abs(Number(expiresAt) - Date.now() - 3_600_000)).toBeLessThan(120_000); // the proxy's +1h
    await fixture.query("UPDATE cluster_credentials SET expires_at = now() - interval '1 s' WHERE user_id = $1", [
      userId,
    ]);
    await expect(read(userId)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    await fixture.addCopy(); // cleans up when it starts
    const rows = () => fixture.query('SELECT 1 FROM cluster_credentials WHERE user_id = $1', [userId]);
    await waitFor(async () => (await rows()).length === 0, { what: 'the clean-up' });
  });
});

describe('GetClusterCredential INVALID_ARGUMENT', () => {
  it('wants to know the job', async () => {
    for (const wrong of ['', 'x', `${jobId}\n`]) {
      await expect(fixture.bridge.getClusterCredential({ userId: 1n, jobId: wrong })).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        reason: 'FIELDS_INVALID',
        fields: [{ field: 'job_id' }],
      });
    }
  });
});

describe('GetClusterCredential PERMISSION_DENIED', () => {
  it('refuses everybody but batch-bridge', async () => {
    const userId = await ssoLogin('mira');
    await expect(fixture.gateway.getClusterCredential({ userId, jobId })).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'CALLER_NOT_ALLOWED',
    });
  });

  it('refuses another user than the acting one', async () => {
    const [mira, otto] = [await ssoLogin('mira'), await ssoLogin('otto')];
    await as(mira, () => read(mira));
    await expect(as(otto, () => read(mira))).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'CREDENTIAL_OF_ANOTHER',
    });
    expect(fixture.audit()).toContainEqual(expect.objectContaining({ reason: 'CREDENTIAL_OF_ANOTHER' }));
  });
});
