import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { createSsoRealm } from '../../src/clients/sso-realm.js';

const clock = fakeClock();
let server: Server;
let issuerUrl: string;
let paths: string[];
let isUp: boolean;
let keys: object[];

const KEY = { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'one' };

beforeEach(async () => {
  paths = [];
  isUp = true;
  keys = [KEY];
  server = createServer((req, res) => {
    paths.push(req.url ?? '');
    if (!isUp) return res.writeHead(503).end();
    const body = req.url === '/jwks' ? { keys } : { issuer: issuerUrl, jwks_uri: `${issuerUrl}/jwks` };
    return res.writeHead(200).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const open = () => createSsoRealm({ issuerUrl, timeoutMs: 2_000, keysMaxAgeMs: 600_000, intervalMinMs: 10_000, clock });
const reads = () => paths.filter((path) => path === '/jwks').length;

describe('the realm', () => {
  it('is asked once for many logins at once, and again when its keys are old', async () => {
    const realm = open();
    await Promise.all([realm.keys(), realm.keys(), realm.refreshedKeys()]);
    await realm.keys();
    expect(paths).toEqual(['/.well-known/openid-configuration', '/jwks']);
    await clock.advance(600_000);
    await realm.keys();
    expect(reads()).toBe(2);
  });

  it('is asked for unknown key ids no more than once in the least interval', async () => {
    const realm = open();
    await realm.keys();
    for (let i = 0; i < 20; i++) await realm.refreshedKeys();
    expect(reads()).toBe(1);
    await clock.advance(10_000);
    for (let i = 0; i < 20; i++) await realm.refreshedKeys();
    expect(reads()).toBe(2);
  });

  it('is not asked for its endpoints again and again while it does not answer', async () => {
    const realm = open();
    isUp = false;
    for (let i = 0; i < 5; i++)
      await expect(realm.endpoints()).rejects.toMatchObject({ reason: 'SSO_REALM_UNAVAILABLE' });
    expect(paths).toHaveLength(1);
    isUp = true;
    await clock.advance(10_000);
    expect(await realm.endpoints()).toEqual({ authorization: '', token: '', deviceAuthorization: undefined });
  });

  it('is unavailable while it does not answer, and asked again by the next login', async () => {
    const realm = open();
    isUp = false;
    await expect(realm.keys()).rejects.toMatchObject({ status: 'INTERNAL', reason: 'SSO_REALM_UNAVAILABLE' });
    isUp = true;
    expect(await realm.keys()).toEqual({ keys: [KEY] });
  });

  it('is unavailable while it publishes no key for signatures', async () => {
    const realm = open();
    for (const answer of [[], [{ ...KEY, use: 'enc' }], [{ kty: 'oct', k: 'AAAA', kid: 'one' }]]) {
      keys = answer;
      await expect(realm.keys()).rejects.toMatchObject({ reason: 'SSO_REALM_UNAVAILABLE' });
    }
    keys = [KEY];
    expect(await realm.keys()).toEqual({ keys: [KEY] });
  });
});
