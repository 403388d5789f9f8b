import { type Clock, clientNetwork } from '@tally/service-kit';
import { type Audit, reasonOf } from '../audit.js';
import { fail } from '../errors.js';
import { isReservedName, type Roles } from '../operator/operators.js';
import type { UserStore } from '../ports.js';
import { type ThrottlePorts, takeRegistration } from '../throttle/throttle.js';
import { type Passwords, passwordFault } from './password.js';
import { normalizeUsername, type User, usernameFault } from './user.js';

/** What {@link createUser} needs. */
export interface CreateUserPorts extends ThrottlePorts {
  readonly users: UserStore;
  readonly passwords: Passwords;
  readonly roles: Roles;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly registration: { readonly isEnabled: boolean; readonly passwordLengthMin: number };
}

/** A registration. */
export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly remoteAddress: string;
}

/**
 * Registers a local user.
 * @throws ServiceError REGISTRATION_DISABLED, FIELDS_INVALID, USERNAME_RESERVED, THROTTLED, USERNAME_TAKEN, LOGINS_BUSY
 */
export async function createUser(ports: CreateUserPorts, registration: Registration): Promise<User> {
  const { audit } = ports;
  const address = registration.remoteAddress;
  try {
    const user = await register(ports, registration);
    audit('auth.user.registered', { userId: user.id, username: user.username, provider: user.provider, address });
    return user;
  } catch (err) {
    audit('auth.user.registration_refused', { address, reason: reasonOf(err) });
    throw err;
  }
}

async function register(ports: CreateUserPorts, registration: Registration): Promise<User> {
  const { password, remoteAddress } = registration;
  const username = normalizeUsername(registration.username);
  if (!ports.registration.isEnabled) throw fail('REGISTRATION_DISABLED');
  const faults = [usernameFault(username), passwordFault(password, ports.registration.passwordLengthMin)];
  const fields = faults.filter((fault) => fault !== undefined);
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  if (isReservedName(ports.roles, username)) throw fail('USERNAME_RESERVED');
  await takeRegistration(ports, remoteAddress, ports.clock.now());
  const lane = { lane: clientNetwork(remoteAddress), isKnown: false };
  const passwordHash = await ports.passwords.inTurn(lane, (hashes) => hashes.hash(password));
  const user = await ports.users.createLocal(username, passwordHash);
  if (user === undefined) throw fail('USERNAME_TAKEN');
  return user;
}
