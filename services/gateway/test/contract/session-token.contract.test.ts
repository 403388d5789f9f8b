import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { auth } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import jwt from 'jsonwebtoken';
import { startStandIn } from '../stand-ins/stand-in.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';
import { goodClaims, newTestKey, signToken } from '../stand-ins/token-issuer.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ signingKeysRefreshMinMs: 0 });
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);
const goodHeader = () => ({ alg: 'ES256', typ: 'JWT', kid: gateway.key.kid });
/** A token put together by hand: any header, any payload, signed with the real key. */
function forge(header: unknown, payload: unknown): string {
  const text = `${base64(header)}.${base64(payload)}`;
  const signature = sign('sha256', Buffer.from(text), { key: gateway.key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
const claims = (change: Record<string, unknown>) => () => forge(goodHeader(), goodClaims(change));
const header = (change: Record<string, unknown>) => () => forge({ ...goodHeader(), ...change }, goodClaims());
const good = () => signToken(gateway.key);
const publicPem = () => gateway.key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const hmac = (secret: string) => {
  const text = `${base64({ ...goodHeader(), alg: 'HS256' })}.${base64(goodClaims())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

const FORGERIES: readonly (readonly [string, () => string])[] = [
  ['alg none', () => `${base64({ ...goodHeader(), alg: 'none' })}.${base64(goodClaims())}.`],
  ['alg None', () => `${base64({ ...goodHeader(), alg: 'None' })}.${base64(goodClaims())}.`],
  ['alg none with a signature', header({ alg: 'none' })],
  ['no alg', header({ alg: undefined })],
  ['alg in lower case', header({ alg: 'es256' })],
  ['alg of another curve', header({ alg: 'ES384' })],
  ['alg RS256', header({ alg: 'RS256' })],
  ['HS256 with the public key as secret', () => hmac(publicPem())],
  ['HS256 with the key of the listing as secret', () => hmac(gateway.key.listed.publicJwkJson)],
  ['HS256 with an empty secret', () => hmac('')],
  ['unknown kid', header({ kid: 'key-2' })],
  ['kid of a path', header({ kid: '../../dev/null' })],
  ['kid of an object', header({ kid: { $ne: null } })],
  ['kid named like a property of every object', header({ kid: '__proto__' })],
  ['no kid', header({ kid: undefined })],
  ['an embedded key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return jwt.sign(goodClaims(), privateKey, {
      algorithm: 'ES256',
      header: { alg: 'ES256', kid: gateway.key.kid, jwk: publicKey.export({ format: 'jwk' }) } as jwt.JwtHeader,
    });
  }],
  ['a key of its own at an address', header({ jku: 'http://127.0.0.1:1/keys', kid: 'elsewhere' })],
  ['an extension that must be understood', header({ crit: ['exp'] })],
  ['another type of token', header({ typ: 'id_token+jwt' })],
  ['another key under the same kid', () => signToken({ ...newTestKey('key-1'), kid: 'key-1' })],
  ['an RSA key under the same kid', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return jwt.sign(goodClaims(), privateKey, { algorithm: 'RS256', keyid: 'key-1' });
  }],
  ['wrong issuer', claims({ iss: 'https://elsewhere' })],
  ['no issuer', claims({ iss: undefined })],
  ['wrong audience', claims({ aud: 'jobs' })],
  ['no audience', claims({ aud: undefined })],
  ['issuer and audience swapped', claims({ iss: 'tally-gateway', aud: 'tally-auth' })],
  ['expired', claims({ iat: now() - 1200, exp: now() - 1 })],
  ['expires this moment', claims({ exp: now() })],
  ['no expiry', claims({ exp: undefined })],
  ['expiry as text', claims({ exp: '9999999999' })],
  ['expiry null', claims({ exp: null })],
  ['not yet valid', claims({ nbf: now() + 600 })],
  ['issued in the future', claims({ iat: now() + 600 })],
  ['no time of issue', claims({ iat: undefined })],
  ['no subject', claims({ sub: undefined })],
  ['a subject that is no user id', claims({ sub: 'admin' })],
  ['a subject that is a number', claims({ sub: 7 })],
  ['a negative subject', claims({ sub: '-1' })],
  ['a subject beyond 64 bits', claims({ sub: '9'.repeat(40) })],
  ['no session', claims({ sid: undefined })],
  ['an empty session', claims({ sid: '' })],
  ['a session that is a list', claims({ sid: ['session-1'] })],
  ['an unknown provider', claims({ provider: 'root' })],
  ['no provider', claims({ provider: undefined })],
  ['a token for updates by workers', () => forge(goodHeader(), { job_id: 'j', aud: 'update', exp: now() + 60 })],
  ['a refresh token', () => 'c2Vzc2lvbi0x.cmVmcmVzaA'],
  ['a payload that is a list', () => forge(goodHeader(), [goodClaims()])],
  ['a payload that is text', () => forge(goodHeader(), 'text')],
  ['a payload that is null', () => forge(goodHeader(), null)],
  ['a changed payload', () => {
    const [head, , signature] = good().split('.');
    return `${head}.${base64(goodClaims({ sub: '1' }))}.${signature}`;
  }],
  ['a changed signature', () => good().replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'))],
  ['no signature', () => good().replace(/[^.]+$/, '')],
  ['half a signature', () => good().slice(0, -40)],
  ['a signature in DER', () => {
    const text = `${base64(goodHeader())}.${base64(goodClaims())}`;
    return `${text}.${sign('sha256', Buffer.from(text), gateway.key.privateKey).toString('base64url')}`;
  }],
  ['the all-zero signature', () => good().replace(/[^.]+$/, Buffer.alloc(64).toString('base64url'))],
  ['two parts', () => good().split('.').slice(0, 2).join('.')],
  ['four parts', () => `${good()}.x`],
  ['a header that is no JSON', () => `${Buffer.from('{').toString('base64url')}.${base64(goodClaims())}.x`],
  ['a header that is null', () => `${base64(null)}.${base64(goodClaims())}.x`],
  ['dots', () => '...'],
  ['words', () => 'garbage'],
  ['undefined as text', () => 'undefined'],
  ['a percent sign', () => '%'],
  ['bytes that are no text', () => '%00%ff%fe'],
  ['quotes', () => `"${good()}"`],
  ['more than a token can have', claims({ username: 'x'.repeat(5_000) })],
  ['far more', () => 'x'.repeat(12_000)],
]; // biome-ignore format: a table

describe('an access token', () => {
  it('that auth issued is good, with and without a type', async () => {
    for (const token of [good(), header({ typ: undefined })(), header({ typ: 'at+jwt' })()]) {
      expect((await gateway.send('GET', '/auth/status', { cookie: `access_token=${token}` })).status).toBe(200);
    }
  });

  it.each(FORGERIES)('is refused with 401: %s', async (_name, make) => {
    const reply = await gateway.send('GET', '/auth/status', { cookie: `access_token=${make()}` });
    expect(reply.body).toMatchObject({
      message: 'Token is invalid or has expired',
      status_code: 401,
      code: 'TOKEN_INVALID',
    });
    expect(reply.text).not.toContain('key-1');
  });

  it('is taken from its cookie only, and the first one counts', async () => {
    const token = good();
    const others: Record<string, string>[] = [{ Authorization: `Bearer ${token}` }, { 'X-Access-Token': token }];
    for (const headers of others) {
      expect((await gateway.send('GET', '/auth/status', { cookie: '', headers })).status).toBe(401);
    }
    expect((await gateway.send('GET', `/auth/status?access_token=${token}`, { cookie: '' })).status).toBe(401);
    const cookie = `a=b; access_token=${token}; access_token=other`;
    expect((await gateway.send('GET', '/auth/status', { cookie })).status).toBe(200);
  });

  it('of a new key is good at once; the old key too, until auth drops it', async () => {
    const next = newTestKey('key-next');
    gateway.auth.answers.listSigningKeys = async () => ({ keys: [next.listed, gateway.key.listed] });
    for (const key of [next, gateway.key]) {
      const cookie = `access_token=${signToken(key)}`;
      expect((await gateway.send('GET', '/auth/status', { cookie })).status).toBe(200);
    }
  });

  it('does not make the gateway ask auth for every unknown key', async () => {
    const limited = await startGatewayUnderTest({ signingKeysRefreshMinMs: 60_000 });
    await limited.send('GET', '/auth/status');
    for (let i = 0; i < 20; i++) {
      const cookie = `access_token=${signToken({ ...limited.key, kid: `unknown-${i}` })}`;
      expect((await limited.send('GET', '/auth/status', { cookie })).status).toBe(401);
    }
    expect(limited.auth.calls.filter(({ rpc }) => rpc === 'listSigningKeys').length).toBeLessThanOrEqual(2);
    await limited.stop();
  });
});

describe('two copies of the gateway', () => {
  it('both refuse a session that ended through one of them, within 5 s', async () => {
    const endedIds = new Set<string>();
    const answers = {
      listSigningKeys: async () => ({ keys: [gateway.key.listed] }),
      listEndedSessions: async () => ({ sessionIds: [...endedIds], membershipsVersion: 0n }),
      deleteSession: async ({ which }: auth.DeleteSessionRequest) => {
        if (which?.$case === 'sessionId') endedIds.add(which.value);
        return {};
      },
    };
    gateway.auth.answers = answers;
    const other = await startGatewayUnderTest({ authAddress: gateway.auth.address });
    const cookie = gateway.cookie({ sid: 'to-be-ended' });
    for (const copy of [gateway, other]) {
      expect((await copy.send('GET', '/auth/status', { cookie })).status).toBe(200);
    }
    const endedAt = performance.now();
    expect((await gateway.send('DELETE', '/auth/logout', { cookie })).status).toBe(200);
    expect((await gateway.send('GET', '/auth/status', { cookie })).status).toBe(401);
    await waitFor(async () => (await other.send('GET', '/auth/status', { cookie })).status === 401);
    expect(performance.now() - endedAt).toBeLessThan(30_000);
    expect((await other.send('GET', '/auth/status', { cookie: gateway.cookie() })).status).toBe(200);
    await other.stop();
  });
});

describe('while auth is away', () => {
  it('sessions are still accepted, at most as long as configured; then 503, not 401', async () => {
    const copy = await startGatewayUnderTest({ authOutageMaxMs: 5_000, endedSessionsRefreshMs: 100 });
    expect((await copy.send('GET', '/auth/status')).status).toBe(200);
    await copy.auth.stop();
    expect((await copy.send('GET', '/auth/status')).status).toBe(200);
    const forged = `access_token=${signToken({ ...copy.key, kid: 'unknown' })}`;
    expect((await copy.send('GET', '/auth/status', { cookie: forged })).status).toBe(401);
    const unavailable = await waitFor(async () => {
      const reply = await copy.send('GET', '/auth/status');
      return reply.status !== 200 && reply;
    });
    expect(unavailable.body).toMatchObject({ status_code: 503, code: 'SESSIONS_UNAVAILABLE' });
    const port = Number(copy.auth.address.split(':')[1]);
    const back = await startStandIn(copy.auth.definition, port);
    back.answers = copy.auth.answers;
    await waitFor(async () => (await copy.send('GET', '/auth/status')).status === 200);
    await Promise.all([copy.stop(), back.stop()]);
  });
});
