import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { Role } from '../operator/operators.js';
import type { SessionStore } from '../ports.js';
import type { User } from '../user/user.js';
import type { AccessTokenIssuer } from './access-token.js';
import type { SessionId } from './session-id.js';

/** A login with its tokens, which are shown this once. */
export interface OpenedSession {
  readonly id: SessionId;
  readonly user: User;
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}

/**
 * Clocks of copies and of those who verify tokens may differ by this much: an ended session is listed, and an old
 * signing key published, for so long after the last token could have expired.
 */
export const CLOCK_MARGIN_MS = 60_000;

const REFRESH_TOKEN_BYTES = 32;

/** What is kept of a refresh token: its SHA-256. 256 random bits need no slow hash. */
export function hashRefreshToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** What {@link openSession} needs. */
export interface SessionPorts {
  readonly sessions: SessionStore;
  readonly accessTokens: AccessTokenIssuer;
  readonly refreshMs: number;
}

/**
 * Opens a session for a user who has proven to be that user.
 * @param claimedRole - what the realm says
 * @throws ServiceError USER_BLOCKED
 */
export async function openSession(
  { sessions, accessTokens, refreshMs }: SessionPorts,
  user: User,
  now: Date,
  claimedRole?: Role,
): Promise<OpenedSession> {
  const id = newId() as SessionId;
  const access = await accessTokens.issue(user, { id, claimedRole }, now);
  const refreshToken = randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
  const refreshExpiresAt = new Date(now.getTime() + refreshMs);
  const isOpened = await sessions.create({
    id,
    userId: user.id,
    refreshTokenHash: hashRefreshToken(refreshToken),
    createdAt: now,
    refreshExpiresAt,
    accessExpiresAt: access.expiresAt,
    claimedRole,
  });
  if (!isOpened) throw fail('USER_BLOCKED');
  return { id, user, accessToken: access.token, accessExpiresAt: access.expiresAt, refreshToken, refreshExpiresAt };
}
