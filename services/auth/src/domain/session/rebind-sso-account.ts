import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import type { UserStore } from '../ports.js';
import { normalizeUsername } from '../user/user.js';

/** What {@link rebindSsoAccount} needs. */
export interface RebindPorts {
  readonly users: Pick<UserStore, 'rebindSso'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Gives the account of a name to another subject of the realm: that of the same person, whose account the realm has made anew. Sessions
 * and tokens of the account end. Safe to repeat and to run beside the service.
 * @returns whether there was such an account, and the subject had no other one
 */
export async function rebindSsoAccount(ports: RebindPorts, name: string, subject: string): Promise<boolean> {
  const user = await ports.users.rebindSso(normalizeUsername(name), subject, ports.clock.now());
  if (user === undefined) return false;
  ports.audit('auth.sso_account.rebound', { userId: user.id, username: user.username, provider: 'sso', subject });
  return true;
}
