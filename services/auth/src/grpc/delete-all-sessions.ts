import type { auth } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { deleteAllSessions } from '../domain/session/delete-all-sessions.js';

/** DeleteAllSessions. */
export function deleteAllSessionsRpc(ports: Parameters<typeof deleteAllSessions>[0]) {
  return async (): Promise<auth.DeleteAllSessionsResponse> => {
    await deleteAllSessions(ports, actingUser());
    return {};
  };
}
