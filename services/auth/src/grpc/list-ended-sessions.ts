import type { auth } from '@tally/contracts';
import { listEndedSessions } from '../domain/session/list-ended-sessions.js';

/** ListEndedSessions. */
export function listEndedSessionsRpc(ports: Parameters<typeof listEndedSessions>[0]) {
  return async (): Promise<auth.ListEndedSessionsResponse> => ({ sessionIds: await listEndedSessions(ports) });
}
