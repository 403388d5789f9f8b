import type { Branded } from '@tally/service-kit';

/** UUID of a session; claim `sid` of its access tokens. */
export type SessionId = Branded<'SessionId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The text as a session id; undefined when it cannot be one. */
export function readSessionId(text: string): SessionId | undefined {
  return UUID.test(text) ? (text as SessionId) : undefined;
}
