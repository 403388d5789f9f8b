import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import { hashLinkToken } from '../link/one-time-link.js';
import type { UserStore } from '../ports.js';
import { type ThrottlePorts, takeLinkUse } from '../throttle/throttle.js';

/** What {@link confirmEmail} needs. */
export interface ConfirmEmailPorts extends ThrottlePorts {
  readonly users: Pick<UserStore, 'confirmEmail'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Makes the address of a link that of its user. The link is used up.
 * @returns the address
 * @throws ServiceError LINK_INVALID, THROTTLED
 */
export async function confirmEmail(ports: ConfirmEmailPorts, token: string, remoteAddress: string): Promise<string> {
  await takeLinkUse(ports, remoteAddress, ports.clock.now());
  const tokenHash = hashLinkToken(token);
  const confirmed = tokenHash && (await ports.users.confirmEmail(tokenHash, ports.clock.now()));
  if (confirmed === undefined) throw fail('LINK_INVALID');
  ports.audit('auth.email.confirmed', { userId: confirmed.userId, address: remoteAddress });
  return confirmed.email;
}
