import { createHash, randomBytes } from 'node:crypto';
import type { Branded } from '@tally/service-kit';
import type { UserId } from '../job.js';

/** UUID of a share. */
export type ShareId = Branded<'ShareId'>;

/** A job or project by its public identifier. */
export interface Resource {
  readonly kind: 'job' | 'project';
  readonly id: string;
}

/** Who has access by a share. */
export type Subject =
  | { readonly kind: 'user'; readonly userId: UserId }
  | { readonly kind: 'group'; readonly groupId: string }
  | { readonly kind: 'link'; readonly linkHash: string };

/** Access to read that an owner has given. */
export interface Share {
  readonly shareId: ShareId;
  readonly subject: Subject;
  readonly createdAt: Date;
  /** Null: never. */
  readonly expiresAt: Date | null;
}

/** Shares of one job or project: people look through them. */
export const SHARES_MAX = 100;

const PREFIX = 'tlyshr_'; // secret scanners know a token by it
const TOKEN_BYTES = 32;
const FORM = /^tlyshr_[A-Za-z0-9_-]{43}$/;

/** Token of a new link, from 256 random bits. */
export const newLinkToken = (): string => PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');

/** What is kept of a token: its SHA-256, hexadecimal; undefined for what cannot be one. 256 random bits need no slow hash. */
export function hashLinkToken(token: string): string | undefined {
  return FORM.test(token) ? createHash('sha256').update(token).digest('hex') : undefined;
}

/** A subject as it is stored. */
export function writeSubject(subject: Subject): string {
  switch (subject.kind) {
    case 'user':
      return `user:${subject.userId}`;
    case 'group':
      return `group:${subject.groupId}`;
    case 'link':
      return `link:${subject.linkHash}`;
  }
}

/** What {@link writeSubject} wrote; the column's CHECK allows nothing else. */
export function readSubject(text: string): Subject {
  const value = text.slice(text.indexOf(':') + 1);
  if (text.startsWith('user:')) return { kind: 'user', userId: BigInt(value) };
  return text.startsWith('group:') ? { kind: 'group', groupId: value } : { kind: 'link', linkHash: value };
}
