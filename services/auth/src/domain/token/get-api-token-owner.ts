import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { ApiTokenStore } from '../ports.js';
import { hashApiToken, type OwnedApiToken } from './api-token.js';

/** What {@link getApiTokenOwner} needs. */
export interface GetApiTokenOwnerPorts {
  readonly apiTokens: ApiTokenStore;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Whose token it is and what it may do; notes that it was used. Whoever asks may remember the answer for
 * TOKEN_MEMORY_MS, as long as the token is not listed as ended. Safe to repeat.
 * @throws ServiceError TOKEN_INVALID when it is unknown, expired or ended
 */
export async function getApiTokenOwner(
  { apiTokens, audit, clock }: GetApiTokenOwnerPorts,
  text: string,
): Promise<OwnedApiToken> {
  const hash = hashApiToken(text);
  const owned = hash === undefined ? undefined : await apiTokens.use(hash, clock.now());
  if (owned === undefined) {
    audit('auth.token.refused', { reason: 'TOKEN_INVALID' });
    throw fail('TOKEN_INVALID');
  }
  const { owner, token } = owned;
  audit('auth.token.used', { userId: owner.id, tokenId: token.id });
  return owned;
}
