import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { createSecretBox, readEncryptionKeys } from './secret-box.js';
import { chooseSigner, createSigningKey, openSigningKey } from './signing-key.js';

const box = createSecretBox(readEncryptionKeys(randomBytes(32).toString('base64')));
const at = (seconds: number) => new Date(seconds * 1000);
const keyFrom = (seconds: number) => createSigningKey(box, at(0), at(seconds));

describe('a signing key', () => {
  it('is named by the RFC 7638 thumbprint of its public half and keeps the private half sealed', async () => {
    const key = await keyFrom(0);
    expect(key.kid).toBe(await calculateJwkThumbprint({ ...key.publicJwk }));
    expect(key.publicJwk).not.toHaveProperty('d');
    const { d } = openSigningKey(box, key).export({ format: 'jwk' });
    expect(Buffer.from(key.sealedPrivate.bytes).includes(Buffer.from(d ?? '', 'base64url'))).toBe(false);
  });

  it('signs from its time on; the very first one also before, should clocks differ', async () => {
    const [old, fresh] = [await keyFrom(10), await keyFrom(20)];
    expect(chooseSigner([fresh, old], at(20))).toBe(fresh);
    expect(chooseSigner([fresh, old], at(19))).toBe(old);
    expect(chooseSigner([fresh, old], at(9))).toBe(old);
    expect(() => chooseSigner([], at(0))).toThrow('there is no signing key');
  });
});
