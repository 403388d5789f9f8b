import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { type CertificateProxy, startCertificateProxy } from '../../src/http/certificate-proxy.js';
import { type OidcProvider, startOidcProvider, subjectOf } from '../../src/http/oidc-provider.js';

let realm: OidcProvider;
let proxy: CertificateProxy;

beforeAll(async () => {
  realm = await startOidcProvider({ claimsOf: () => ({ groups: ['staff'] }) });
  proxy = await startCertificateProxy({ issuer: realm.issuer, audience: realm.audience });
});
afterAll(async () => {
  await proxy.stop();
  await realm.stop();
});

const ask = (token: string) => fetch(proxy.url, { headers: { authorization: `Bearer ${token}` } });

describe('the OpenID provider', () => {
  it('logs a user in by authorization code with PKCE and gives a signed access token', async () => {
    const { accessToken, idToken } = await realm.login('mira');
    const keys = createLocalJWKSet({ keys: await realm.publicKeys() });
    const { payload, protectedHeader } = await jwtVerify(accessToken, keys, {
      issuer: realm.issuer,
      audience: realm.audience,
    });
    expect(protectedHeader.typ).toBe('at+jwt');
    expect(payload).toMatchObject({ preferred_username: 'mira', sub: subjectOf('mira'), groups: ['staff'] });
    const id = await jwtVerify(idToken, keys, { issuer: realm.issuer, audience: realm.clientId });
    expect(id.payload).toMatchObject({ preferred_username: 'mira', sub: subjectOf('mira') });
  });

  it('gives no code to a client without PKCE', async () => {
    const url = `${realm.issuer}/auth?client_id=${realm.clientId}&response_type=code&scope=openid&redirect_uri=${encodeURIComponent('http://127.0.0.1/callback')}`;
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(/error=invalid_request/);
  });

  it('does not start in production', async () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      await expect(startOidcProvider()).rejects.toThrow('production');
      await expect(startCertificateProxy({ issuer: realm.issuer, audience: 'x' })).rejects.toThrow('production');
    } finally {
      process.env.NODE_ENV = before;
    }
  });
});

describe('the certificate proxy', () => {
  it('signs a certificate of the user for a fresh key, with its authority', async () => {
    const { accessToken } = await realm.login('mira');
    const response = await ask(accessToken);
    expect(response.status).toBe(200);
    const { cert, private: key } = (await response.json()) as { cert: string; private: string };
    const dir = mkdtempSync(path.join(tmpdir(), 'tally-test-'));
    try {
      writeFileSync(path.join(dir, 'key'), key, { mode: 0o600 });
      writeFileSync(path.join(dir, 'key-cert.pub'), cert);
      writeFileSync(path.join(dir, 'ca.pub'), proxy.authorityKey);
      const text = execFileSync('ssh-keygen', ['-L', '-f', path.join(dir, 'key-cert.pub')], { encoding: 'utf8' });
      const authority = execFileSync('ssh-keygen', ['-l', '-f', path.join(dir, 'ca.pub')], { encoding: 'utf8' });
      expect(text).toMatch(/user certificate/);
      expect(text).toMatch(/Principals:\s+mira\s/);
      expect(text).toContain(authority.split(' ')[1]);
      const own = execFileSync('ssh-keygen', ['-y', '-f', path.join(dir, 'key')], { encoding: 'utf8' });
      writeFileSync(path.join(dir, 'own.pub'), own);
      expect(text).toContain(
        execFileSync('ssh-keygen', ['-l', '-f', path.join(dir, 'own.pub')], { encoding: 'utf8' }).split(' ')[1],
      );
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('gives nothing for a token of another purpose, a broken one, or none', async () => {
    const { idToken, accessToken } = await realm.login('mira');
    for (const token of [idToken, `${accessToken}x`, 'garbage', '']) expect((await ask(token)).status).toBe(401);
  });
});
