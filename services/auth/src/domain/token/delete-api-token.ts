import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { ApiTokenStore } from '../ports.js';
import { readApiTokenId } from './api-token.js';

/** What {@link deleteApiToken} needs. */
export interface DeleteApiTokenPorts {
  readonly apiTokens: ApiTokenStore;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Ends a token of the acting user. @throws ServiceError TOKEN_NOT_FOUND: unknown, another user's, expired or ended */
export async function deleteApiToken(
  { apiTokens, audit, clock }: DeleteApiTokenPorts,
  userId: bigint,
  tokenId: string,
): Promise<void> {
  const id = readApiTokenId(tokenId);
  if (id === undefined || !(await apiTokens.end(id, userId, clock.now()))) throw fail('TOKEN_NOT_FOUND');
  audit('auth.token.ended', { userId, tokenId: id });
}
