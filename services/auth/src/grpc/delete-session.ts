import type { auth } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { type DeleteSessionPorts, deleteSession } from '../domain/session/delete-session.js';

/** DeleteSession. */
export function deleteSessionRpc(ports: DeleteSessionPorts) {
  return async (request: auth.DeleteSessionRequest): Promise<auth.DeleteSessionResponse> => {
    await deleteSession(ports, actingUser(), request.sessionId);
    return {};
  };
}
