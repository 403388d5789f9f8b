import type { Clock } from '@tally/service-kit';
import { type Audit, reasonOf } from '../audit.js';
import { fail } from '../errors.js';
import type { UserStore } from '../ports.js';
import { countingOnly, saveKnownAddress, type ThrottlePorts, takeLoginAttempt } from '../throttle/throttle.js';
import type { Passwords } from '../user/password.js';
import { type User, usernameFault } from '../user/user.js';
import { type OpenedSession, openSession, type SessionPorts } from './session.js';

/** What {@link createSession} needs. */
export interface CreateSessionPorts extends SessionPorts, ThrottlePorts {
  readonly users: UserStore;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** A login. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly remoteAddress: string;
}

/**
 * Logs a local user in. An unknown user and a wrong password take the same steps and give the same answer. A hash of
 * another cost than the configured one is replaced.
 * @throws ServiceError THROTTLED, CREDENTIALS_WRONG, LOGINS_BUSY
 */
export async function createSession(ports: CreateSessionPorts, login: Login): Promise<OpenedSession> {
  const { audit, clock, passwords, users } = ports;
  const address = login.remoteAddress;
  let named: User | undefined;
  try {
    // a name that no user can have is treated like an unknown one, without a query
    const username = usernameFault(login.username) === undefined ? login.username : '';
    const attempt = await takeLoginAttempt(ports, username, address, clock.now());
    const found = await countingOnly('CREDENTIALS_WRONG', attempt, async () => {
      const candidate = await users.findLocal(username);
      named = candidate?.user;
      const isRight = await passwords.matches(login.password, candidate?.passwordHash);
      if (candidate === undefined || !isRight) throw fail('CREDENTIALS_WRONG');
      return candidate;
    });
    if (passwords.isOutdated(found.passwordHash)) {
      await users.rehash(found.user.id, found.passwordHash, await passwords.hash(login.password));
    }
    const now = clock.now();
    await saveKnownAddress(ports, found.user.id, address, now);
    const session = await openSession(ports, found.user, now);
    const { id: userId, username: name, provider } = found.user;
    audit('auth.session.created', { userId, username: name, provider, sessionId: session.id, address });
    return session;
  } catch (err) {
    audit('auth.session.refused', {
      ...(named === undefined ? {} : { userId: named.id, username: named.username }),
      provider: 'local',
      address,
      reason: reasonOf(err),
    });
    throw err;
  }
}
