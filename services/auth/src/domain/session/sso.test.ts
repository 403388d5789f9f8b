import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import type { RealmKeys, SsoRealm } from '../ports.js';
import { type SsoRules, verifySsoToken } from './sso.js';

const rules: SsoRules = {
  issuer: 'https://realm.example',
  audience: 'tally',
  tokenTypes: ['at+jwt'],
  usernameClaim: 'preferred_username',
  operatorClaim: '',
  teacherClaim: '',
  requiredClaim: '',
  groupsClaim: '',
  clockSkewMs: 0,
  tokenAgeMaxMs: 60_000,
  tokenBytesMax: 4_096,
};
const NOW = new Date('2026-11-29T12:00:00Z');
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keysWith = (key: object): RealmKeys => ({ keys: [{ kid: 'one', alg: 'RS256', ...key }] });
const good = keysWith(own.publicKey.export({ format: 'jwk' }));
const token = await new SignJWT({ preferred_username: 'mira' })
  .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'at+jwt' })
  .setIssuer(rules.issuer)
  .setAudience(rules.audience)
  .setSubject('7')
  .setIssuedAt(NOW)
  .setExpirationTime(NOW.getTime() / 1000 + 60)
  .sign(own.privateKey);

/** A realm that is known by these keys, and has these now. */
const realmOf = (known: RealmKeys, now: RealmKeys): SsoRealm => ({
  keys: async () => known,
  refreshedKeys: async () => now,
  endpoints: () => Promise.reject(new Error('not asked')),
  exchangeCode: () => Promise.reject(new Error('not asked')),
});

const WRONG: readonly (readonly [string, RealmKeys])[] = [
  ['of another realm under the same id', keysWith(foreign.publicKey.export({ format: 'jwk' }))],
  ['under another id', { keys: [{ ...good.keys[0], kid: 'two' }] }],
  ['of another kind', keysWith({ kty: 'oct', k: 'AAAA' })],
  ['that are broken', keysWith({ kty: 'RSA', n: 17, e: null })],
  ['that are none', { keys: [] }],
];

describe('a token of the realm', () => {
  it.each(WRONG)('is looked at again with the keys of now, when those that are known are %s', async (_what, wrong) => {
    expect(await verifySsoToken(realmOf(wrong, good), rules, token, NOW)).toMatchObject({
      subject: '7',
      username: 'mira',
    });
  });

  it.each(WRONG)('is refused when those of now are %s', async (_what, wrong) => {
    const refused = { reason: 'SSO_TOKEN_INVALID' };
    await expect(
      verifySsoToken(realmOf(good, wrong), rules, `${token.slice(0, -8)}AAAAAAAA`, NOW),
    ).rejects.toMatchObject(refused);
    await expect(verifySsoToken(realmOf(wrong, wrong), rules, token, NOW)).rejects.toMatchObject(refused);
  });
});
