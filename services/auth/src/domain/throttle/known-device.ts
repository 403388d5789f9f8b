import { randomBytes } from 'node:crypto';
import type { SecretBox } from '../key/secret-box.js';

/** Proof that a user has logged in on a device, to be kept there. It opens nothing: it only keeps others' attempts apart. */
export interface DeviceProof {
  readonly token: string;
  readonly expiresAt: Date;
}

const ID_BYTES = 16;
const TOKEN_LENGTH_MAX = 1_024;

const place = (username: string): string => `devices/${username}`;

/** A proof for this user alone, sealed: nobody else can make one. @param username - normalized */
export function issueDeviceProof(box: SecretBox, username: string, expiresAt: Date): DeviceProof {
  const plain = JSON.stringify([randomBytes(ID_BYTES).toString('base64url'), expiresAt.getTime()]);
  const { bytes, encryptionKeyId } = box.seal(Buffer.from(plain), place(username));
  return { token: `${encryptionKeyId}.${Buffer.from(bytes).toString('base64url')}`, expiresAt };
}

/** Id of the device; undefined: the proof is none, another user's, or too old. */
export function readDeviceProof(box: SecretBox, username: string, token: string, now: Date): string | undefined {
  const [encryptionKeyId = '', text] = token.split('.', 2);
  if (text === undefined || token.length > TOKEN_LENGTH_MAX) return undefined;
  try {
    const sealed = { bytes: new Uint8Array(Buffer.from(text, 'base64url')), encryptionKeyId };
    const [id, expiresAtMs] = JSON.parse(box.open(sealed, place(username)).toString()) as unknown[];
    return typeof id === 'string' && typeof expiresAtMs === 'number' && now.getTime() < expiresAtMs ? id : undefined;
  } catch {
    return undefined;
  }
}
