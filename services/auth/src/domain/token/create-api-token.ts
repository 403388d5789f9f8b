import { type Clock, newId } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { ApiTokenStore } from '../ports.js';
import {
  type ApiToken,
  type ApiTokenId,
  hashApiToken,
  newTokenText,
  TOKEN_SCOPES,
  type TokenScope,
  tokenNameFault,
} from './api-token.js';

/** What {@link createApiToken} needs. */
export interface CreateApiTokenPorts {
  readonly apiTokens: ApiTokenStore;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly tokenLimits: {
    /** Valid tokens of one user. */
    readonly perUserMax: number;
    readonly lifetimeMaxMs: number;
  };
}

/** The token that a user wants. */
export interface WantedApiToken {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly expiresAt: Date | undefined;
  readonly isEndedWithSessions: boolean;
}

/**
 * Makes a token for scripts of the acting user. Its text is in the answer, and nowhere else.
 * @throws ServiceError FIELDS_INVALID, TOKENS_EXCEEDED
 */
export async function createApiToken(
  { apiTokens, audit, clock, tokenLimits: { perUserMax, lifetimeMaxMs } }: CreateApiTokenPorts,
  userId: bigint,
  { name, scopes: wantedScopes, expiresAt, isEndedWithSessions }: WantedApiToken,
): Promise<{ readonly text: string; readonly token: ApiToken }> {
  const createdAt = clock.now();
  const latest = new Date(createdAt.getTime() + lifetimeMaxMs);
  const scopes = TOKEN_SCOPES.filter((scope) => wantedScopes.includes(scope));
  const fields = [
    tokenNameFault(name),
    scopes.length > 0
      ? undefined
      : { field: 'scopes', message: `must name at least one of ${TOKEN_SCOPES.join(', ')}` },
    expiresAt !== undefined && expiresAt > createdAt && expiresAt <= latest
      ? undefined
      : { field: 'expires_at', message: `must be in the future, and not after ${latest.toISOString()}` },
  ].filter((fault) => fault !== undefined);
  if (expiresAt === undefined || fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  const text = newTokenText();
  const hash = hashApiToken(text);
  if (hash === undefined) throw new Error('a new token has the form of one');
  const id = newId() as ApiTokenId;
  const token = { id, name, scopes, createdAt, expiresAt, lastUsedAt: undefined, isEndedWithSessions };
  if (!(await apiTokens.create(userId, token, hash, perUserMax))) throw fail('TOKENS_EXCEEDED');
  audit('auth.token.created', { userId, tokenId: id });
  return { text, token };
}
