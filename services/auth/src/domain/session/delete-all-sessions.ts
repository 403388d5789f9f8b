import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import type { SessionStore } from '../ports.js';

/** Ends every session of the user, and the API tokens that he made to end with them. Safe to repeat. @returns how many sessions */
export async function deleteAllSessions(
  { sessions, audit, clock }: { readonly sessions: SessionStore; readonly audit: Audit; readonly clock: Clock },
  userId: bigint,
): Promise<number> {
  const count = await sessions.endAll(userId, clock.now());
  audit('auth.session.all_ended', { userId, count });
  return count;
}
