import type { Clock } from '@tally/service-kit';
import type { SigningKeyStore } from '../ports.js';
import type { PublicJwk } from './signing-key.js';

/** Public halves of the live signing keys, newest first; the newest may not sign yet. */
export async function listSigningKeys(ports: {
  readonly signingKeys: SigningKeyStore;
  readonly clock: Clock;
}): Promise<PublicJwk[]> {
  const keys = await ports.signingKeys.listLive(ports.clock.now());
  return keys.map(({ publicJwk }) => publicJwk);
}
