import type { auth } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import {
  type DeleteSessionPorts,
  deleteAllSessions,
  deleteSession,
  deleteSessionByRefreshToken,
} from '../domain/session/delete-session.js';

/** DeleteSession: one by its id or refresh token, or all. */
export async function deleteSessionRpc(
  ports: DeleteSessionPorts,
  { which }: auth.DeleteSessionRequest,
): Promise<auth.DeleteSessionResponse> {
  switch (which?.$case) {
    case 'sessionId':
      await deleteSession(ports, actingUser(), which.value);
      return {};
    case 'refreshToken':
      return { sessionId: await deleteSessionByRefreshToken(ports, which.value) };
    case 'all':
      if (which.value) await deleteAllSessions(ports, actingUser());
      return {};
    default:
      throw fail('FIELDS_INVALID', { fields: [{ field: 'which', message: 'is required' }] });
  }
}
