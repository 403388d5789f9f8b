import type { auth } from '@tally/contracts';
import { type CreateAccessTokenPorts, createAccessToken } from '../domain/session/create-access-token.js';

/** CreateAccessToken. */
export function createAccessTokenRpc(ports: CreateAccessTokenPorts) {
  return async (request: auth.CreateAccessTokenRequest): Promise<auth.CreateAccessTokenResponse> => {
    const { token, expiresAt } = await createAccessToken(ports, request.refreshToken);
    return { accessToken: token, accessExpiresAt: expiresAt };
  };
}
