import type { LinkStore } from '../ports.js';
import { hashLinkToken, type NewLink, newLinkToken, type OneTimeLink } from './one-time-link.js';

/** Makes a link of a user, in place of an earlier one of the same purpose. */
export async function newLinkOf(
  links: Pick<LinkStore, 'replace'>,
  wanted: Pick<OneTimeLink, 'userId' | 'purpose' | 'email'>,
  lifetimeMs: number,
  createdAt: Date,
): Promise<NewLink> {
  const token = newLinkToken();
  const tokenHash = hashLinkToken(token);
  if (tokenHash === undefined) throw new Error('a new token has the form of tokens');
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  await links.replace({ ...wanted, tokenHash, createdAt, expiresAt });
  return { token, expiresAt };
}
