import { type Clock, NotReadyError } from '@tally/service-kit';
import type { CredentialStore, SigningKeyStore } from '../ports.js';
import type { SecretBox } from './secret-box.js';
import { chooseSigner, openSigningKey } from './signing-key.js';

/** What {@link createSecretCheck} needs. */
export interface SecretCheckPorts {
  readonly signingKeys: Pick<SigningKeyStore, 'listLive'>;
  readonly credentials: Pick<CredentialStore, 'listEncryptionKeyIds'>;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/**
 * Whether what is stored can be opened with the encryption keys of the configuration: without that nobody can log in, although all else
 * works. A signing key is opened once; that of another copy, as soon as it is there.
 */
export function createSecretCheck({ signingKeys, credentials, box, clock }: SecretCheckPorts): () => Promise<void> {
  const opened = new Set<string>();
  return async () => {
    const now = clock.now();
    const live = await signingKeys.listLive(now);
    if (live.length === 0) throw new NotReadyError('there is no signing key');
    // those behind it sign no more
    const signing = live.slice(0, live.indexOf(chooseSigner(live, now)) + 1);
    for (const key of signing.filter(({ kid }) => !opened.has(kid))) {
      try {
        openSigningKey(box, key);
      } catch (cause) {
        const { encryptionKeyId } = key.sealedPrivate;
        const why = box.keyIds.includes(encryptionKeyId)
          ? 'is another key of this name'
          : 'is not in AUTH_ENCRYPTION_KEY';
        throw new NotReadyError(`a signing key is sealed with the encryption key ${encryptionKeyId}, which ${why}`, {
          cause,
        });
      }
      opened.add(key.kid);
    }
    const unknown = (await credentials.listEncryptionKeyIds()).find((id) => !box.keyIds.includes(id));
    if (unknown !== undefined)
      throw new NotReadyError(
        `SSH credentials are sealed with the encryption key ${unknown}, which is not in AUTH_ENCRYPTION_KEY`,
      );
  };
}
