import type { Clock } from '@tally/service-kit';
import { fail } from '../errors.js';
import { countingOnly, type ThrottlePorts, takeNameSearch } from '../throttle/throttle.js';
import { normalizeUsername, type Provider, type User } from '../user/user.js';
import type { GroupStore } from './group-ports.js';

/** What {@link getUserByName} needs. */
export interface FindUserPorts extends ThrottlePorts {
  readonly groups: GroupStore;
  readonly clock: Clock;
}

/**
 * The user of an exact name. Names that nobody has are counted for who asks, so that nobody finds users by trying.
 * @throws ServiceError NAME_NOT_FOUND, NAME_AMBIGUOUS, THROTTLED
 */
export async function getUserByName(
  ports: FindUserPorts,
  actorId: bigint,
  username: string,
  provider: Provider | undefined,
): Promise<User> {
  const attempt = await takeNameSearch(ports, actorId, ports.clock.now());
  return countingOnly('NAME_NOT_FOUND', attempt, async () => {
    const name = normalizeUsername(username).replaceAll('\0', '\ufffd');
    const users = (await ports.groups.findUsers(name)).filter(
      (user) => provider === undefined || user.provider === provider,
    );
    const [user, other] = users;
    if (user === undefined) throw fail('NAME_NOT_FOUND');
    if (other !== undefined) throw fail('NAME_AMBIGUOUS');
    return user;
  });
}
