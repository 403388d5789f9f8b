import { type Clock, clientNetwork } from '@tally/service-kit';
import { type Audit, reasonOf } from '../audit.js';
import { fail } from '../errors.js';
import { hashLinkToken } from '../link/one-time-link.js';
import type { LinkStore, UserStore } from '../ports.js';
import { type ThrottlePorts, takeLinkUse } from '../throttle/throttle.js';
import { type Passwords, passwordFault } from './password.js';

/** What {@link confirmPasswordReset} needs. */
export interface ConfirmPasswordResetPorts extends ThrottlePorts {
  readonly users: Pick<UserStore, 'resetPassword'>;
  readonly links: Pick<LinkStore, 'findLive'>;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly passwordLengthMin: number;
}

/** A link's token and the password that its holder wants. */
export interface PasswordReset {
  readonly token: string;
  readonly newPassword: string;
  readonly remoteAddress: string;
}

/**
 * Sets a new password by a link. The link is used up; every session of the user ends, and every API token that ends with them.
 * A password outside the limits leaves the link as it is.
 * @throws ServiceError FIELDS_INVALID, LINK_INVALID, THROTTLED, LOGINS_BUSY
 */
export async function confirmPasswordReset(ports: ConfirmPasswordResetPorts, reset: PasswordReset): Promise<void> {
  const { audit } = ports;
  const address = reset.remoteAddress;
  try {
    const userId = await confirm(ports, reset);
    audit('auth.password.reset', { userId, address });
  } catch (err) {
    audit('auth.password.reset_refused', { address, reason: reasonOf(err) });
    throw err;
  }
}

async function confirm(ports: ConfirmPasswordResetPorts, reset: PasswordReset): Promise<bigint> {
  const { links, users, clock } = ports;
  const fault = passwordFault(reset.newPassword, ports.passwordLengthMin, 'new_password');
  if (fault !== undefined) throw fail('FIELDS_INVALID', { fields: [fault] });
  await takeLinkUse(ports, reset.remoteAddress, clock.now());
  const tokenHash = hashLinkToken(reset.token);
  const isLive = tokenHash !== undefined && (await links.findLive(tokenHash, 'password_reset', clock.now()));
  if (!isLive) throw fail('LINK_INVALID');
  const lane = { lane: clientNetwork(reset.remoteAddress), isKnown: true };
  const newHash = await ports.passwords.inTurn(lane, (hashes) => hashes.hash(reset.newPassword));
  const userId = await users.resetPassword(tokenHash, newHash, clock.now());
  if (userId === undefined) throw fail('LINK_INVALID');
  return userId;
}
