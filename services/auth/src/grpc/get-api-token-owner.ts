import type { auth } from '@tally/contracts';
import { type GetApiTokenOwnerPorts, getApiTokenOwner } from '../domain/token/get-api-token-owner.js';
import { toApiToken, toUser } from './mappers.js';

/** GetApiTokenOwner. */
export function getApiTokenOwnerRpc(ports: GetApiTokenOwnerPorts) {
  return async (request: auth.GetApiTokenOwnerRequest): Promise<auth.GetApiTokenOwnerResponse> => {
    const { owner, token } = await getApiTokenOwner(ports, request.text);
    return { user: toUser(owner), token: toApiToken(token) };
  };
}
