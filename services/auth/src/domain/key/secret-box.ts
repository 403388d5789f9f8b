import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A key for AES-256-GCM. The id is stored beside what it sealed. */
export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Sealed bytes: initialisation vector (12), authentication tag (16), ciphertext. */
export interface Sealed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encryptionKeyId: string;
}

/** Seals secrets for the database. */
export interface SecretBox {
  /** Id of the key that seals now. */
  readonly currentKeyId: string;
  /** Ids of all keys that open. */
  readonly keyIds: readonly string[];
  /** @param place - where it will be kept, such as `signing_keys/<kid>`; it opens nowhere else */
  seal(plain: Buffer, place: string): Sealed;
  /** @throws Error when the key is not configured, or bytes or place are not those of {@link SecretBox.seal} */
  open(sealed: Sealed, place: string): Buffer;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12; // NIST SP 800-38D 8.2.2: random, 96 bits
const TAG_BYTES = 16;

/**
 * Reads `[name:]base64` of 32 bytes, separated by commas or white space; the first one seals.
 * @throws Error for anything else, and for two keys of one name
 */
export function readEncryptionKeys(text: string): readonly [EncryptionKey, ...EncryptionKey[]] {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part): EncryptionKey => {
      const [, name, base64] = /^(?:([a-z0-9-]{1,32}):)?([A-Za-z0-9+/_-]{43}=?)$/.exec(part) ?? [];
      const key = Buffer.from(base64 ?? '', 'base64');
      if (key.length !== KEY_BYTES) throw new Error('an encryption key is not [name:]base64 of 32 bytes');
      return { id: name ?? createHash('sha256').update(key).digest('hex').slice(0, 16), key };
    });
  const [first, ...rest] = keys;
  if (first === undefined) throw new Error('there is no encryption key');
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('two encryption keys have one name');
  return [first, ...rest];
}

/** A box that seals with the first key and opens with any. */
export function createSecretBox(keys: readonly [EncryptionKey, ...EncryptionKey[]]): SecretBox {
  const [current] = keys;
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    currentKeyId: current.id,
    keyIds: [...byId.keys()],
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
      const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
      const bytes = new Uint8Array(Buffer.concat([iv, cipher.getAuthTag(), ciphertext]));
      return { bytes, encryptionKeyId: current.id };
    },
    open({ bytes, encryptionKeyId }, place) {
      const key = byId.get(encryptionKeyId);
      if (key === undefined) throw new Error(`encryption key ${encryptionKeyId} is not configured`);
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}
