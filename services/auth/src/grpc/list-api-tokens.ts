import type { auth } from '@tally/contracts';
import { actingUser, type Clock } from '@tally/service-kit';
import type { ApiTokenStore } from '../domain/ports.js';
import { toApiToken } from './mappers.js';

/** ListApiTokens. */
export function listApiTokensRpc({ apiTokens, clock }: { readonly apiTokens: ApiTokenStore; readonly clock: Clock }) {
  return async (): Promise<auth.ListApiTokensResponse> => ({
    tokens: (await apiTokens.list(actingUser(), clock.now())).map(toApiToken),
  });
}
