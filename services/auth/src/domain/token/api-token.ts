import { createHash, randomBytes } from 'node:crypto';
import type { Branded, FieldFault } from '@tally/service-kit';
import { lengthOf, UNPRINTABLE, type User } from '../user/user.js';

/** UUID of an API token. Ids of sessions are UUIDs, too: one list says which of both have ended. */
export type ApiTokenId = Branded<'ApiTokenId'>;

/** What a token may do: `read` what its owner sees, `submit` (and cancel, delete) jobs. Neither includes the other. */
export const TOKEN_SCOPES = ['read', 'submit'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A user's token for scripts, as he may see it again: never the token itself. */
export interface ApiToken {
  readonly id: ApiTokenId;
  /** The user's word for it: 1 to 128 characters, no control characters. */
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** To the minute; undefined: never. */
  readonly lastUsedAt: Date | undefined;
  /** Whether it ends when the user ends all his sessions or changes his password. */
  readonly isEndedWithSessions: boolean;
}

/** A token that is valid, and whose it is. */
export interface OwnedApiToken {
  readonly token: ApiToken;
  readonly owner: User;
}

/** How long others may rely on what they were told of a valid token, unless it is listed as ended. */
export const TOKEN_MEMORY_MS = 60_000;

const PREFIX = 'tly_'; // secret scanners know a token by it
const TOKEN_BYTES = 32;
const FORM = /^tly_[A-Za-z0-9_-]{43}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NAME_LENGTH_MAX = 128;

/** A new token's text, from 256 random bits. */
export const newTokenText = (): string => PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');

/** What is kept of a token: its SHA-256; undefined for what cannot be one. 256 random bits need no slow hash. */
export function hashApiToken(text: string): Uint8Array<ArrayBuffer> | undefined {
  return FORM.test(text) ? new Uint8Array(createHash('sha256').update(text).digest()) : undefined;
}

/** The text as a token id; undefined when it cannot be one. */
export function readApiTokenId(text: string): ApiTokenId | undefined {
  return UUID.test(text) ? (text as ApiTokenId) : undefined;
}

/** What is wrong with the name of a token; undefined: nothing. */
export function tokenNameFault(name: string): FieldFault | undefined {
  if (name.trim() === '') return { field: 'name', message: 'is required' };
  if (lengthOf(name) > NAME_LENGTH_MAX)
    return { field: 'name', message: `must have at most ${NAME_LENGTH_MAX} characters` };
  if (UNPRINTABLE.test(name)) return { field: 'name', message: 'must not contain control characters' };
  return undefined;
}
