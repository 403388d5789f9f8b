import type { auth } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { type DeleteApiTokenPorts, deleteApiToken } from '../domain/token/delete-api-token.js';

/** DeleteApiToken. */
export function deleteApiTokenRpc(ports: DeleteApiTokenPorts) {
  return async (request: auth.DeleteApiTokenRequest): Promise<auth.DeleteApiTokenResponse> => {
    await deleteApiToken(ports, actingUser(), request.tokenId);
    return {};
  };
}
