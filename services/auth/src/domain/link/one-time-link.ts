import { createHash, randomBytes } from 'node:crypto';

/** What a link lets its holder do. */
export type LinkPurpose = 'password_reset' | 'email_confirmation';

/** What is kept of a link. */
export interface OneTimeLink {
  /** SHA-256. */
  readonly tokenHash: Uint8Array<ArrayBuffer>;
  readonly purpose: LinkPurpose;
  readonly userId: bigint;
  /** Of a confirmation: the address that its holder confirms. */
  readonly email?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A link with its token, which is shown this once. */
export interface NewLink {
  readonly token: string;
  readonly expiresAt: Date;
}

const TOKEN_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A new token of a link, from 256 random bits. */
export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is kept of a token: its SHA-256; undefined for what cannot be one. 256 random bits need no slow hash. */
export function hashLinkToken(token: string): Uint8Array<ArrayBuffer> | undefined {
  return FORM.test(token) ? new Uint8Array(createHash('sha256').update(token).digest()) : undefined;
}

/** Path of the console's page where an address is confirmed; the token as in {@link passwordResetPath}. */
export const emailConfirmationPath = (token: string): string => `/console/email#${token}`;

/**
 * Path of the console's page for the token. The token is the fragment, which browsers send to no server, so that no log and no
 * `Referer` has it.
 */
export const passwordResetPath = (token: string): string => `/console/password#${token}`;
