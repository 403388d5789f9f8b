import { createPublicKey, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { goodClaims, newTestKey, signToken } from '../../../test/stand-ins/token-issuer.js';
import { AccessTokens } from './access-token.js';

const { iss: issuer, aud: audience, exp } = goodClaims() as { iss: string; aud: string; exp: number };

/** Tokens whose rules a test changes while they are used; `lookups` counts how often a key was asked for. */
function tokensUnderTest(rememberedMax = 10) {
  const signing = newTestKey('key-1');
  const service = { keys: new Map<string, KeyObject>([['key-1', signing.publicKey]]), now: new Date() };
  const rules = {
    issuer,
    audience,
    findKey: async (kid: string) => service.keys.get(kid),
    now: () => service.now,
  };
  return { signing, service, tokens: new AccessTokens(rules, rememberedMax), token: signToken(signing) };
}

describe('AccessTokens: a token that was verified before', () => {
  test('gives the same session, without reading it again', async () => {
    const { tokens, token } = tokensUnderTest();
    const first = await tokens.verify(token);
    expect(first).toBeDefined();
    expect(await tokens.verify(token)).toBe(first);
  });

  test('is refused when its time is over', async () => {
    const { tokens, token, service } = tokensUnderTest();
    expect(await tokens.verify(token)).toBeDefined();
    service.now = new Date((exp + 1) * 1000);
    expect(await tokens.verify(token)).toBeUndefined();
  });

  test('is refused when its key was taken away, and when another key has its id', async () => {
    const { tokens, token, service, signing } = tokensUnderTest();
    expect(await tokens.verify(token)).toBeDefined();
    service.keys.delete('key-1');
    expect(await tokens.verify(token)).toBeUndefined();
    service.keys.set('key-1', newTestKey('key-1').publicKey);
    expect(await tokens.verify(token)).toBeUndefined();
    service.keys.set('key-1', createPublicKey(signing.publicKey.export({ type: 'spki', format: 'pem' })));
    expect(await tokens.verify(token)).toBeDefined();
  });

  test('is not confused with one that differs in a character', async () => {
    const { tokens, token } = tokensUnderTest();
    expect(await tokens.verify(token)).toBeDefined();
    expect(await tokens.verify(`${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`)).toBeUndefined();
  });

  test('is read again when others have taken its place', async () => {
    const { tokens, token, signing } = tokensUnderTest(1);
    const first = await tokens.verify(token);
    await tokens.verify(signToken(signing, goodClaims({ sid: 'another' })));
    const again = await tokens.verify(token);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });
});
