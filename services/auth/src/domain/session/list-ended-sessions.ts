import type { Clock } from '@tally/service-kit';
import type { ApiTokenStore, SessionStore } from '../ports.js';
import { type ApiTokenId, TOKEN_MEMORY_MS } from '../token/api-token.js';
import { CLOCK_MARGIN_MS } from './session.js';
import type { SessionId } from './session-id.js';

/**
 * Sessions that have ended while access tokens of theirs may be unexpired by anybody's clock, and API tokens that have
 * ended while somebody may remember them as valid.
 */
export async function listEndedSessions({
  sessions,
  apiTokens,
  clock,
}: {
  readonly sessions: SessionStore;
  readonly apiTokens: ApiTokenStore;
  readonly clock: Clock;
}): Promise<(SessionId | ApiTokenId)[]> {
  const now = clock.now().getTime();
  const [endedSessions, endedTokens] = await Promise.all([
    sessions.listEnded(new Date(now - CLOCK_MARGIN_MS)),
    apiTokens.listEnded(new Date(now - TOKEN_MEMORY_MS - CLOCK_MARGIN_MS)),
  ]);
  return [...endedSessions, ...endedTokens];
}
