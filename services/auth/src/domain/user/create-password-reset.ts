import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import { newLinkOf } from '../link/new-link.js';
import type { NewLink } from '../link/one-time-link.js';
import type { LinkStore, UserStore } from '../ports.js';
import { normalizeUsername } from './user.js';

/** How long a link to a new password works, milliseconds: long enough to reach somebody, too short to be found later. */
export const RESET_LIFETIME_MS = 60 * 60_000;

/** What {@link createPasswordReset} needs. */
export interface CreatePasswordResetPorts {
  readonly users: Pick<UserStore, 'findLocal' | 'isSso'>;
  readonly links: Pick<LinkStore, 'replace'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Makes a link by which a local user sets a new password, for an operator who hands it over. The link works once, within
 * {@link RESET_LIFETIME_MS}, and replaces the user's earlier one. The password and the sessions stay until the link is used.
 * @throws ServiceError USER_NOT_FOUND, PASSWORD_NOT_LOCAL
 */
export async function createPasswordReset(ports: CreatePasswordResetPorts, name: string): Promise<NewLink> {
  const username = normalizeUsername(name);
  const found = await ports.users.findLocal(username);
  if (found === undefined) throw fail((await ports.users.isSso(username)) ? 'PASSWORD_NOT_LOCAL' : 'USER_NOT_FOUND');
  const wanted = { userId: found.user.id, purpose: 'password_reset' } as const;
  const link = await newLinkOf(ports.links, wanted, RESET_LIFETIME_MS, ports.clock.now());
  ports.audit('auth.password.reset_created', { userId: found.user.id, username });
  return link;
}
