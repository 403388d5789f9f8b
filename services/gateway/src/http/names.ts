import type { auth } from '@tally/contracts';
import type { CallOptions } from '@tally/service-kit';
import type { ServiceClients } from '../clients/services.js';
import type { Accessed } from './access.js';
import { toPerson } from './mappers.js';

/** Ids whose names are wanted. */
interface NamedIds {
  readonly userIds: readonly bigint[];
  readonly groupIds: readonly string[];
}

/** Names of users and groups. Who has been deleted has none. */
export interface Names {
  person(userId: bigint): ReturnType<typeof toPerson>;
  group(groupId: string): { readonly group_id: string; readonly name: string };
}

const UNKNOWN_USER: Omit<auth.User, 'userId' | 'provider'> = { username: '—', displayName: '' };

/** Asks auth for names, once for all. */
export async function findNames(
  { auth }: Pick<ServiceClients, 'auth'>,
  { userIds, groupIds }: NamedIds,
  call: CallOptions,
): Promise<Names> {
  const wanted = { userIds: [...new Set(userIds)], groupIds: [...new Set(groupIds)].filter((id) => id !== '') };
  const isNone = wanted.userIds.length + wanted.groupIds.length === 0;
  const { users, groups } = isNone ? { users: [], groups: [] } : await auth.listNames(wanted, call);
  const people = new Map(users.map((user) => [user.userId, toPerson(user)]));
  const names = new Map(groups.map(({ groupId, name }) => [groupId, name]));
  return {
    person: (userId) =>
      people.get(userId) ?? {
        user_id: Number(userId),
        username: UNKNOWN_USER.username,
        display_name: '',
        source: 'local',
      },
    group: (groupId) => ({ group_id: groupId, name: names.get(groupId) ?? '—' }),
  };
}

/** Names of those whose things are, and of groups that they belong to. */
export const findNamesOf = (
  services: Pick<ServiceClients, 'auth'>,
  things: readonly Pick<Accessed, 'ownerId' | 'groupId'>[],
  call: CallOptions,
): Promise<Names> =>
  findNames(
    services,
    { userIds: things.map(({ ownerId }) => ownerId), groupIds: things.map(({ groupId }) => groupId) },
    call,
  );

/** Whose a thing is, the group that it belongs to, and what the acting user may do with it. */
export const toBelonging = ({ ownerId, groupId, actions }: Accessed, names: Names) => ({
  owner: names.person(ownerId),
  ...(groupId === '' ? {} : { group: names.group(groupId) }),
  actions: [...actions],
});
