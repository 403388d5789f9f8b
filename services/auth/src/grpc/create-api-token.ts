import type { auth } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { type CreateApiTokenPorts, createApiToken } from '../domain/token/create-api-token.js';
import { toApiToken, toScopes } from './mappers.js';

/** CreateApiToken. */
export function createApiTokenRpc(ports: CreateApiTokenPorts) {
  return async (request: auth.CreateApiTokenRequest): Promise<auth.CreateApiTokenResponse> => {
    const { name, scopes, expiresAt, isEndedWithSessions } = request;
    const wanted = { name, scopes: toScopes(scopes), expiresAt, isEndedWithSessions };
    const { text, token } = await createApiToken(ports, actingUser(), wanted);
    return { text, token: toApiToken(token) };
  };
}
