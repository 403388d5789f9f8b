import type { Clock } from '@tally/service-kit';
import type { SessionStore } from '../ports.js';
import { CLOCK_MARGIN_MS } from './session.js';
import type { SessionId } from './session-id.js';

/** Sessions that have ended while access tokens of theirs may be unexpired by anybody's clock. */
export function listEndedSessions(ports: {
  readonly sessions: SessionStore;
  readonly clock: Clock;
}): Promise<SessionId[]> {
  return ports.sessions.listEnded(new Date(ports.clock.now().getTime() - CLOCK_MARGIN_MS));
}
