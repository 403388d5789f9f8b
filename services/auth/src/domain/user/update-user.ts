import type { Clock } from '@tally/service-kit';
import { type Audit, reasonOf } from '../audit.js';
import { fail } from '../errors.js';
import type { UserChange, UserStore } from '../ports.js';
import { readSessionId } from '../session/session-id.js';
import { countingOnly, type ThrottlePorts, takePasswordChange } from '../throttle/throttle.js';
import { getUser } from './get-user.js';
import { type PasswordHashes, type Passwords, passwordFault } from './password.js';
import { displayNameFault, type User } from './user.js';

/** What {@link updateUser} needs. */
export interface UpdateUserPorts extends ThrottlePorts {
  readonly users: UserStore;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly passwordLengthMin: number;
}

/** What the user wants changed. */
export interface UserUpdate {
  readonly displayName?: string;
  readonly currentPassword?: string;
  readonly newPassword?: string;
  /** The session that stays alive when the password changes. */
  readonly sessionId: string;
}

/**
 * Changes the profile or the password of the acting user, all that is asked or nothing.
 * @throws ServiceError FIELDS_INVALID, NOTHING_TO_CHANGE, USER_NOT_FOUND, PASSWORD_NOT_LOCAL, PASSWORD_WRONG, THROTTLED,
 * LOGINS_BUSY
 */
export async function updateUser(ports: UpdateUserPorts, userId: bigint, update: UserUpdate): Promise<User> {
  checkFields(update, ports.passwordLengthMin);
  const user = await getUser(ports, userId);
  const { displayName, currentPassword, newPassword } = update;
  const rename = displayName === undefined ? {} : { displayName };
  if (newPassword === undefined || currentPassword === undefined) return save(ports, { userId, ...rename });
  try {
    if (user.provider !== 'local') throw fail('PASSWORD_NOT_LOCAL');
    const attempt = await takePasswordChange(ports, userId, ports.clock.now());
    const lane = { lane: `user ${userId}`, isKnown: true };
    const changed = await countingOnly('PASSWORD_WRONG', attempt, async () => {
      const passwords = { currentPassword, newPassword, keptSessionId: update.sessionId };
      const password = await ports.passwords.inTurn(lane, (hashes) => changeOf(ports, hashes, userId, passwords));
      return save(ports, { userId, ...rename, password });
    });
    ports.audit('auth.password.changed', { userId, username: user.username });
    return changed;
  } catch (err) {
    ports.audit('auth.password.change_refused', { userId, username: user.username, reason: reasonOf(err) });
    throw err;
  }
}

function checkFields({ displayName, currentPassword, newPassword }: UserUpdate, passwordLengthMin: number): void {
  if (displayName === undefined && newPassword === undefined && currentPassword === undefined) {
    throw fail('NOTHING_TO_CHANGE');
  }
  const isMissing = { message: 'is required to change the password' };
  const fields = [
    displayName === undefined ? undefined : displayNameFault(displayName),
    newPassword === undefined ? undefined : passwordFault(newPassword, passwordLengthMin, 'new_password'),
    newPassword !== undefined && currentPassword === undefined
      ? { field: 'current_password', ...isMissing }
      : undefined,
    newPassword === undefined && currentPassword !== undefined ? { field: 'new_password', ...isMissing } : undefined,
  ].filter((fault) => fault !== undefined);
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
}

async function changeOf(
  { users, clock }: UpdateUserPorts,
  hashes: PasswordHashes,
  userId: bigint,
  given: { readonly currentPassword: string; readonly newPassword: string; readonly keptSessionId: string },
): Promise<UserChange['password']> {
  const oldHash = await users.findPasswordHash(userId);
  const isRight = await hashes.matches(given.currentPassword, oldHash);
  if (oldHash === undefined || !isRight) throw fail('PASSWORD_WRONG');
  const newHash = await hashes.hash(given.newPassword);
  return { oldHash, newHash, keptSessionId: readSessionId(given.keptSessionId), changedAt: clock.now() };
}

async function save({ users }: UpdateUserPorts, change: UserChange): Promise<User> {
  const changed = await users.update(change);
  if (changed === undefined) throw fail(change.password === undefined ? 'USER_NOT_FOUND' : 'PASSWORD_WRONG');
  return changed;
}
