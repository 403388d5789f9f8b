import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSecretBox, readEncryptionKeys } from './secret-box.js';

const newKey = () => randomBytes(32).toString('base64');
const secret = Buffer.from('a private key');

describe('a secret box', () => {
  it('opens what it sealed, and seals the same differently each time', () => {
    const box = createSecretBox(readEncryptionKeys(newKey()));
    const [first, second] = [box.seal(secret, 'here'), box.seal(secret, 'here')];
    expect(box.open(first, 'here')).toEqual(secret);
    expect(first.bytes).not.toEqual(second.bytes);
    expect(Buffer.from(first.bytes).includes(secret)).toBe(false);
  });

  it('opens nothing at another place, changed, cut, or under another key', () => {
    const box = createSecretBox(readEncryptionKeys(`a:${newKey()}`));
    const sealed = box.seal(secret, 'here');
    expect(() => box.open(sealed, 'there')).toThrow();
    for (let i = 0; i < sealed.bytes.length; i++) {
      const bytes = Uint8Array.from(sealed.bytes);
      bytes[i] = (bytes[i] ?? 0) ^ 1;
      expect(() => box.open({ ...sealed, bytes }, 'here')).toThrow();
    }
    expect(() => box.open({ ...sealed, bytes: sealed.bytes.slice(0, -1) }, 'here')).toThrow();
    expect(() => box.open({ ...sealed, bytes: sealed.bytes.slice(0, 20) }, 'here')).toThrow();
    const other = createSecretBox(readEncryptionKeys(`a:${newKey()}`));
    expect(() => other.open(sealed, 'here')).toThrow();
    const unknown = createSecretBox(readEncryptionKeys(`b:${newKey()}`));
    expect(() => unknown.open(sealed, 'here')).toThrow('encryption key a is not configured');
  });

  it('seals with the first key and opens with the others', () => {
    const [old, fresh] = [newKey(), newKey()];
    const sealed = createSecretBox(readEncryptionKeys(old)).seal(secret, 'here');
    const box = createSecretBox(readEncryptionKeys(`fresh:${fresh}, ${old}`));
    expect(box.open(sealed, 'here')).toEqual(secret);
    expect(box.currentKeyId).toBe('fresh');
    expect(box.seal(secret, 'here').encryptionKeyId).toBe('fresh');
  });
});

describe('encryption keys', () => {
  it('without a name are named after their hash, which does not change', () => {
    const key = newKey();
    const [{ id }] = readEncryptionKeys(key);
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(readEncryptionKeys(`${key}\n`)[0].id).toBe(id);
  });

  it.each([
    ['nothing', ''],
    ['31 bytes', randomBytes(31).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['a pass phrase', 'correct horse battery staple correct horse'],
    ['a name with blanks', `my key:${newKey()}`],
    ['two keys of one name', `a:${newKey()},a:${newKey()}`],
  ])('are refused: %s', (_what, text) => {
    expect(() => readEncryptionKeys(text)).toThrow();
  });
});
