import type { auth } from '@tally/contracts';
import { type DeleteSessionPorts, deleteSessionByRefreshToken } from '../domain/session/delete-session.js';

/** DeleteSessionByRefreshToken. */
export function deleteSessionByRefreshTokenRpc(ports: DeleteSessionPorts) {
  return async ({
    refreshToken,
  }: auth.DeleteSessionByRefreshTokenRequest): Promise<auth.DeleteSessionByRefreshTokenResponse> => ({
    sessionId: await deleteSessionByRefreshToken(ports, refreshToken),
  });
}
