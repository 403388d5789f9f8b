import type { Audit } from '../audit.js';
import { resealCredential } from '../credential/cluster-credential.js';
import type { CredentialStore, SigningKeyStore } from '../ports.js';
import type { SecretBox } from './secret-box.js';
import { resealSigningKey } from './signing-key.js';

/** What {@link resealSecrets} needs. */
export interface ResealPorts {
  readonly signingKeys: SigningKeyStore;
  readonly credentials: CredentialStore;
  readonly box: SecretBox;
  readonly audit: Audit;
}

/**
 * Seals everything with the current encryption key that another one sealed; after that the others may be taken out of
 * the configuration. Safe to repeat, to break off and to run beside the service.
 * @returns how many secrets were sealed anew
 */
export async function resealSecrets(
  { signingKeys, credentials, box, audit }: ResealPorts,
  rowsMax = 100,
): Promise<number> {
  let count = 0;
  for (;;) {
    const keys = await signingKeys.listSealedByOthers(box.currentKeyId, rowsMax);
    for (const key of keys) {
      await signingKeys.reseal(key.kid, key.sealedPrivate.encryptionKeyId, resealSigningKey(box, key));
    }
    const stored = await credentials.listSealedByOthers(box.currentKeyId, rowsMax);
    for (const credential of stored) await credentials.reseal(credential, resealCredential(box, credential));
    if (keys.length + stored.length === 0) break;
    count += keys.length + stored.length;
  }
  audit('auth.secrets.resealed', { count });
  return count;
}
