import { type Clock, clientNetwork } from '@tally/service-kit';
import { type Audit, reasonOf } from '../audit.js';
import { fail } from '../errors.js';
import type { SecretBox } from '../key/secret-box.js';
import type { UserStore } from '../ports.js';
import { type DeviceProof, issueDeviceProof, readDeviceProof } from '../throttle/known-device.js';
import { countingOnly, saveKnownAddress, type ThrottlePorts, takeLoginAttempt } from '../throttle/throttle.js';
import type { Passwords } from '../user/password.js';
import { normalizeUsername, type User, usernameFault } from '../user/user.js';
import { type OpenedSession, openSession, type SessionPorts } from './session.js';

/** What {@link createSession} needs. */
export interface CreateSessionPorts extends SessionPorts, ThrottlePorts {
  readonly users: UserStore;
  readonly passwords: Passwords;
  readonly box: SecretBox;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** A login. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly remoteAddress: string;
  /** What an earlier login on this device gave; empty: nothing. */
  readonly deviceToken: string;
}

/** A session, and the proof that its user has logged in on this device. */
export interface LocalSession {
  readonly session: OpenedSession;
  readonly device: DeviceProof;
}

/**
 * Logs a local user in. An unknown user and a wrong password take the same steps and give the same answer. A hash of
 * another cost than the configured one is replaced. Whoever proves to have logged in on this device before goes first, and
 * is not stopped by failures elsewhere.
 * @throws ServiceError THROTTLED, CREDENTIALS_WRONG, LOGINS_BUSY
 */
export async function createSession(ports: CreateSessionPorts, login: Login): Promise<LocalSession> {
  const { audit, clock, box } = ports;
  const address = login.remoteAddress;
  const noted: { user?: User } = {};
  try {
    const user = await proveUser(ports, login, (named) => {
      noted.user = named;
    });
    const now = clock.now();
    await saveKnownAddress(ports, user.id, address, now);
    const session = await openSession(ports, user, now);
    const { id: userId, username: name, provider } = user;
    audit('auth.session.created', { userId, username: name, provider, sessionId: session.id, address });
    const expiresAt = new Date(now.getTime() + ports.limits.knownAddressMs);
    return { session, device: issueDeviceProof(box, name, expiresAt) };
  } catch (err) {
    audit('auth.session.refused', {
      ...(noted.user === undefined ? {} : { userId: noted.user.id, username: noted.user.username }),
      provider: 'local',
      address,
      reason: reasonOf(err),
    });
    throw err;
  }
}

/** The user of the name and the password. @param onNamed - hears of the user before the password is compared */
async function proveUser(ports: CreateSessionPorts, login: Login, onNamed: (user: User) => void): Promise<User> {
  const { users, passwords, clock, box } = ports;
  const { password, remoteAddress } = login;
  const normalized = normalizeUsername(login.username);
  // a name that no user can have is treated like an unknown one
  const username = usernameFault(normalized) === undefined ? normalized : '';
  const deviceId = readDeviceProof(box, username, login.deviceToken, clock.now());
  const waiting = { lane: clientNetwork(remoteAddress), isKnown: deviceId !== undefined };
  return passwords.inTurn(waiting, async (hashes) => {
    const attempt = { username, remoteAddress, deviceId };
    const permit = await takeLoginAttempt(ports, attempt, clock.now());
    const found = await countingOnly('CREDENTIALS_WRONG', permit, async () => {
      const candidate = await users.findLocal(username);
      if (candidate !== undefined) onNamed(candidate.user);
      const isRight = await hashes.matches(password, candidate?.passwordHash);
      if (candidate === undefined || !isRight) throw fail('CREDENTIALS_WRONG');
      return candidate;
    });
    if (hashes.isOutdated(found.passwordHash)) {
      await users.rehash(found.user.id, found.passwordHash, await hashes.hash(password));
    }
    return found.user;
  });
}
