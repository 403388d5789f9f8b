import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import type { SigningKeyStore } from '../ports.js';
import type { TokenLifetimes } from '../session/access-token.js';
import { CLOCK_MARGIN_MS } from '../session/session.js';
import type { SecretBox } from './secret-box.js';
import { createSigningKey, type SigningKey } from './signing-key.js';

/** What {@link createFirstSigningKey} and {@link rotateSigningKey} need. */
export interface SigningKeyPorts {
  readonly signingKeys: SigningKeyStore;
  readonly box: SecretBox;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Makes sure that there is a signing key. Safe for several copies at once: one key comes out. */
export async function createFirstSigningKey({ signingKeys, box, audit, clock }: SigningKeyPorts): Promise<void> {
  const now = clock.now();
  if ((await signingKeys.listLive(now)).length > 0) return;
  const key = await createSigningKey(box, now, now);
  if (await signingKeys.createFirst(key)) audit('auth.signing_key.created', { kid: key.kid });
}

/** How a rotation goes. */
export interface Rotation {
  /** How long the new key is published before it signs, milliseconds. */
  readonly delayMs: number;
  readonly accessMs: TokenLifetimes['accessMs'];
  /** The former keys are compromised: their tokens are rejected from now on, and the new key signs at once. */
  readonly isEmergency: boolean;
}

/**
 * Makes a new signing key. The former one signs until every verifier has had time to learn of the new one, and stays
 * published until its last token has expired.
 * @throws Error when another rotation ran at the same moment; nothing has changed then
 */
export async function rotateSigningKey(
  { signingKeys, box, audit, clock }: SigningKeyPorts,
  { delayMs, accessMs, isEmergency }: Rotation,
): Promise<SigningKey> {
  const now = clock.now();
  const signsFrom = isEmergency ? now : new Date(now.getTime() + delayMs);
  const lastExpiryMs = signsFrom.getTime() + Math.max(accessMs.local, accessMs.sso) + CLOCK_MARGIN_MS;
  const key = await createSigningKey(box, now, signsFrom);
  const isDone = await signingKeys.rotate(key, isEmergency ? now : new Date(lastExpiryMs));
  if (!isDone) throw new Error('another rotation ran at the same moment');
  audit('auth.signing_key.rotated', { kid: key.kid, ...(isEmergency ? { reason: 'EMERGENCY' } : {}) });
  return key;
}
