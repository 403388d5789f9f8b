import type { auth } from '@tally/contracts';
import { actingUser, type Clock } from '@tally/service-kit';
import type { SessionStore } from '../domain/ports.js';

const SESSIONS_MAX = 100;

/** ListSessions. */
export function listSessionsRpc({ sessions, clock }: { readonly sessions: SessionStore; readonly clock: Clock }) {
  return async (): Promise<auth.ListSessionsResponse> => {
    const live = await sessions.listLive(actingUser(), clock.now(), SESSIONS_MAX);
    return { sessions: live.map(({ id, createdAt, expiresAt }) => ({ sessionId: id, createdAt, expiresAt })) };
  };
}
