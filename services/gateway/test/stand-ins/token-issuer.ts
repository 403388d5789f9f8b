import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { auth } from '@tally/contracts';
import jwt from 'jsonwebtoken';

/** A signing key of the stand-in for auth. */
export interface TestKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** As ListSigningKeys gives it. */
  readonly listed: auth.SigningKey;
}

export function newTestKey(kid: string): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwkJson = JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' });
  return { kid, privateKey, publicKey, listed: { kid, publicJwkJson } };
}

/** Claims of a good access token, issued now, valid for ten minutes. */
export function goodClaims(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    sub: '7',
    sid: 'session-1',
    provider: 'local',
    username: 'ada',
    iss: 'tally-auth',
    aud: 'tally-gateway',
    iat: now,
    exp: now + 600,
    ...overrides,
  };
}

/** An access token as auth signs it. */
export function signToken(key: TestKey, overrides: Record<string, unknown> = {}): string {
  const claims = Object.fromEntries(Object.entries(goodClaims(overrides)).filter(([, value]) => value !== undefined));
  return jwt.sign(claims, key.privateKey, { algorithm: 'ES256', keyid: key.kid });
}
