import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { UserStore } from '../ports.js';
import { type Passwords, passwordFault } from './password.js';
import { normalizeUsername, type User, usernameFault } from './user.js';

/** What {@link createAccount} needs. */
export interface CreateAccountPorts {
  readonly users: Pick<UserStore, 'createLocal'>;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly passwordLengthMin: number;
}

/**
 * Makes a local account for whoever runs the deployment: also where nobody may register, and under a name that AUTH_OPERATORS reserves.
 * @throws ServiceError FIELDS_INVALID, USERNAME_TAKEN
 */
export async function createAccount(
  { users, passwords, audit, passwordLengthMin }: CreateAccountPorts,
  account: { readonly username: string; readonly password: string },
): Promise<User> {
  const username = normalizeUsername(account.username);
  const faults = [usernameFault(username), passwordFault(account.password, passwordLengthMin)];
  const fields = faults.filter((fault) => fault !== undefined);
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  const lane = { lane: 'command', isKnown: true };
  const passwordHash = await passwords.inTurn(lane, (hashes) => hashes.hash(account.password));
  const user = await users.createLocal(username, passwordHash);
  if (user === undefined) throw fail('USERNAME_TAKEN');
  audit('auth.user.registered', { userId: user.id, username, provider: 'local', caller: 'command' });
  return user;
}
