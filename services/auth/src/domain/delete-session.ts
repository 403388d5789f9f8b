import type { Clock } from '@tally/service-kit';
import type { Audit } from './audit.js';
import type { SessionStore } from './ports.js';
import { readSessionId } from './session-id.js';

/** What {@link deleteSession} needs. */
export interface DeleteSessionPorts {
  readonly sessions: SessionStore;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Ends a session of the user. One that has ended, is another user's or never was, is left as it is. Safe to repeat. */
export async function deleteSession(
  { sessions, audit, clock }: DeleteSessionPorts,
  userId: bigint,
  sessionId: string,
): Promise<void> {
  const id = readSessionId(sessionId);
  if (id === undefined) return;
  if (await sessions.end(id, userId, clock.now())) audit('auth.session.ended', { userId, sessionId: id });
}
