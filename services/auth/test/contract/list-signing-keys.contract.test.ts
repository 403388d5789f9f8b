import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tally/service-kit';
import { fakeClock } from '@tally/testkit';
import jwt from 'jsonwebtoken';
import { runReseal, runRotation } from '../../src/service.js';
import { type AuthFixture, ENCRYPTION_KEY, login, register, startAuthFixture, verify } from '../auth-fixture.js';
import { testAuthConfig } from '../start.js';

const MINUTE_MS = 60_000;
const clock = fakeClock(new Date('2026-06-01T12:00:00Z'));
let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture({}, clock);
  await register(fixture, 'mira');
});
afterAll(() => fixture.stop());

const kids = async (copy: Pick<AuthFixture, 'gateway'> = fixture) =>
  (await copy.gateway.listSigningKeys({})).keys.map(({ kid }) => kid);
const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid;
const config = () => testAuthConfig({ databaseUrl: fixture.databaseUrl, encryptionKey: ENCRYPTION_KEY });
const rotate = (isEmergency = false) => runRotation(config(), silentLogger, isEmergency, clock);

describe('ListSigningKeys OK', () => {
  it('publishes the public half only, as a JWK for ES256', async () => {
    const { keys } = await fixture.gateway.listSigningKeys({});
    expect(keys).toHaveLength(1);
    const jwk = JSON.parse(keys[0]?.publicJwkJson ?? '') as Record<string, string>;
    expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: keys[0]?.kid });
  });

  it('is one key, whoever of several copies starts first', async () => {
    const fresh = await startAuthFixture({}, clock);
    await fresh.query('DELETE FROM signing_keys');
    const copies = await Promise.all([1, 2, 3, 4].map(() => fresh.addCopy()));
    const seen = await Promise.all(copies.map((copy) => kids(copy)));
    expect(new Set(seen.flat()).size).toBe(1);
    await fresh.stop();
  });

  it('keeps two keys live over a rotation: nobody is logged out, every copy signs with the new one', async () => {
    const second = await fixture.addCopy();
    const [old] = await kids();
    const before = await login(fixture, 'mira');
    const { kid } = await rotate();
    expect(await kids()).toEqual([kid, old]);
    expect(kidOf((await login(second, 'mira')).accessToken)).toBe(old); // published before it signs
    await clock.advance(10_000);
    for (const copy of [fixture, second]) {
      const { accessToken } = await login(copy, 'mira');
      expect(kidOf(accessToken)).toBe(kid);
      await verify(second, accessToken);
    }
    await clock.advance(30 * MINUTE_MS); // the longest life of a token
    await verify(fixture, before.accessToken);
    expect(await kids(second)).toEqual([kid, old]);
    await clock.advance(MINUTE_MS);
    expect(await kids()).toEqual([kid]);
    await fixture.gateway.createAccessToken({ refreshToken: before.refreshToken });
    await expect(verify(fixture, before.accessToken)).rejects.toThrow('is published');
  });

  it('drops compromised keys at once; refresh tokens go on', async () => {
    const { accessToken, refreshToken } = await login(fixture, 'mira');
    const { kid } = await rotate(true);
    expect(await kids()).toEqual([kid]);
    await expect(verify(fixture, accessToken)).rejects.toThrow('is published');
    await verify(fixture, (await fixture.gateway.createAccessToken({ refreshToken })).accessToken);
  });

  it('lets one of several rotations at once happen, or all in turn, and always ends with one newest key', async () => {
    await Promise.allSettled([rotate(), rotate(), rotate()]);
    expect(await fixture.query('SELECT kid FROM signing_keys WHERE verifies_until IS NULL')).toHaveLength(1);
    await verify(fixture, (await login(fixture, 'mira')).accessToken);
  });

  it('still signs after the encryption key was replaced and the old one taken away', async () => {
    const next = { id: 'second', key: Buffer.alloc(32, 7) };
    const count = await runReseal({ ...config(), encryptionKey: [next, ...ENCRYPTION_KEY] }, silentLogger, clock);
    expect(count).toBeGreaterThan(0);
    const copy = await fixture.addCopy({ encryptionKey: [next] });
    await verify(copy, (await login(copy, 'mira')).accessToken);
    expect(await runReseal({ ...config(), encryptionKey: [next] }, silentLogger, clock)).toBe(0);
  });
});

describe('ListSigningKeys PERMISSION_DENIED', () => {
  it('refuses callers that the contract does not name', async () => {
    await expect(fixture.bridge.listSigningKeys({})).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
