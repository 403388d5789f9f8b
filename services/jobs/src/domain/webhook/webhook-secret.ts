import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0, "Signature scheme": 24 to 64 random bytes, base64, with this prefix. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A new secret of a webhook. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Signs a message: the value of `webhook-signature` (Standard Webhooks 1.0). */
export function signMessage(secret: string, id: string, timestampSeconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
}

const keyOf = (master: string) => new Uint8Array(hkdfSync('sha256', master, '', 'webhook secrets', 32));

/** A secret as it is stored, bound to its webhook: AES-256-GCM under a key derived from the master. */
export function sealSecret(master: string, webhookId: string, secret: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(master), iv).setAAD(Buffer.from(webhookId));
  const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return new Uint8Array(sealed);
}

/** The secret; undefined: none of the masters has sealed it. */
export function openSecret(masters: readonly string[], webhookId: string, sealed: Uint8Array): string | undefined {
  for (const master of masters.filter((text) => text !== '')) {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(master), sealed.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(webhookId)).setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const text = sealed.subarray(IV_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    } catch {
      // sealed by another one
    }
  }
  return undefined;
}
