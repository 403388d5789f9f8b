import { AUTH_PROVIDERS, type auth } from '@tally/contracts';
import type { PublicJwk } from '../domain/key/signing-key.js';
import type { OpenedSession } from '../domain/session/session.js';
import type { User } from '../domain/user/user.js';

/** User as the contract has it. */
export function toUser({ id, username, provider, displayName }: User): auth.User {
  return { userId: id, username, provider: AUTH_PROVIDERS[provider], displayName };
}

/** New session as the contract has it. */
export function toSession(session: OpenedSession): auth.Session {
  const { accessToken, accessExpiresAt, refreshToken, refreshExpiresAt, user } = session;
  return { accessToken, accessExpiresAt, refreshToken, refreshExpiresAt, user: toUser(user) };
}

/** Public key as the contract has it. */
export function toSigningKey(jwk: PublicJwk): auth.SigningKey {
  return { kid: jwk.kid, publicJwkJson: JSON.stringify(jwk) };
}
