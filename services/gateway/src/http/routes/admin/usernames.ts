import { authOperator } from '@tally/contracts';
import type { CallOptions } from '@tally/service-kit';
import type { ServiceClients } from '../../../clients/services.js';

const ANY: Omit<authOperator.ListUsersRequest, 'pageSize'> = {
  search: '',
  userIds: [],
  pageIndex: 1,
  state: authOperator.UserState.USER_STATE_UNSPECIFIED,
};
/** As many as auth gives at once. */
const USERS_MAX = 1_000;

/** Names of users by their numbers; who is not there any more has none. */
export async function findUsernames(
  { authOperator: operator }: Pick<ServiceClients, 'authOperator'>,
  userIds: readonly bigint[],
  call: CallOptions,
): Promise<ReadonlyMap<bigint, string>> {
  const asked = [...new Set(userIds)];
  const names = new Map<bigint, string>();
  for (let first = 0; first < asked.length; first += USERS_MAX) {
    const page = asked.slice(first, first + USERS_MAX);
    const { users } = await operator.listUsers({ ...ANY, userIds: page, pageSize: USERS_MAX }, call);
    for (const { user } of users) if (user !== undefined) names.set(user.userId, user.username);
  }
  return names;
}

/** Names of groups by their ids; what is not there any more has none. */
export async function findGroupNames(
  { auth }: Pick<ServiceClients, 'auth'>,
  groupIds: readonly string[],
  call: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  if (groupIds.length === 0) return new Map();
  const { groups } = await auth.listNames({ userIds: [], groupIds: groupIds.slice(0, USERS_MAX) }, call);
  return new Map(groups.map(({ groupId, name }) => [groupId, name]));
}

/** Numbers of the users with exactly this name: a local one, one of the realm, or both. */
export async function findUserIds(
  { authOperator: operator }: Pick<ServiceClients, 'authOperator'>,
  username: string,
  call: CallOptions,
): Promise<bigint[]> {
  const { users } = await operator.listUsers({ ...ANY, search: username, pageSize: USERS_MAX }, call);
  return users.flatMap(({ user }) => (user?.username === username ? [user.userId] : []));
}
