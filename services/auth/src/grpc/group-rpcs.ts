import type { auth } from '@tally/contracts';
import { actingUser, type Routes } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import { createGroup, deleteGroup, type GroupPorts, updateGroup } from '../domain/group/change-group.js';
import { createMember, deleteMember, updateMember } from '../domain/group/change-members.js';
import { type FindUserPorts, getUserByName } from '../domain/group/get-user-by-name.js';
import { readGroupId } from '../domain/group/group.js';
import { toGroup, toMember, toProvider, toRole, toUser } from './mappers.js';

const callers = ['gateway'];

/** Most ids of one kind whose names are asked for at once. */
const NAMES_MAX = 1_000;

/** RPCs about groups and who is in them. */
export const groupRpcs = (ports: GroupPorts & FindUserPorts) =>
  ({ ...ownGroupRpcs(ports), ...memberRpcs(ports), ...nameRpcs(ports) }) satisfies Partial<
    Routes<typeof auth.AuthServiceService>
  >;

const ownGroupRpcs = (ports: GroupPorts) =>
  ({
    listGroups: { callers, handle: async () => ({ groups: (await ports.groups.list(actingUser())).map(toGroup) }) },
    createGroup: {
      callers,
      handle: async ({ name }) => ({ group: toGroup(await createGroup(ports, actingUser(), name)) }),
    },
    updateGroup: {
      callers,
      handle: async ({ groupId, name }) => {
        await updateGroup(ports, actingUser(), readGroupId(groupId), name);
        return {};
      },
    },
    deleteGroup: {
      callers,
      handle: async ({ groupId }) => {
        await deleteGroup(ports, actingUser(), readGroupId(groupId));
        return {};
      },
    },
  }) satisfies Partial<Routes<typeof auth.AuthServiceService>>;

const memberRpcs = (ports: GroupPorts & FindUserPorts) =>
  ({
    listMembers: {
      callers,
      handle: async ({ groupId }) => {
        const members = await ports.groups.listMembers(readGroupId(groupId), actingUser());
        if (members === undefined) throw fail('GROUP_NOT_FOUND');
        return { members: members.map(toMember) };
      },
    },
    createMember: {
      callers,
      handle: async ({ groupId, username, provider, role }) => {
        const wanted = { username, groupId: readGroupId(groupId), provider: toProvider(provider), role: toRole(role) };
        return { member: toMember(await createMember(ports, actingUser(), wanted)) };
      },
    },
    updateMember: {
      callers,
      handle: async ({ groupId, userId, role }) => {
        await updateMember(ports, actingUser(), { userId, groupId: readGroupId(groupId), role: toRole(role) });
        return {};
      },
    },
    deleteMember: {
      callers,
      handle: async ({ groupId, userId }) => {
        await deleteMember(ports, actingUser(), { userId, groupId: readGroupId(groupId) });
        return {};
      },
    },
  }) satisfies Partial<Routes<typeof auth.AuthServiceService>>;

const nameRpcs = (ports: GroupPorts & FindUserPorts) =>
  ({
    getUserByName: {
      callers,
      handle: async ({ username, provider }) => ({
        user: toUser(await getUserByName(ports, actingUser(), username, toProvider(provider))),
      }),
    },
    listReceivers: {
      callers: ['jobs'],
      handle: async ({ userIds, groupId }) => {
        if (userIds.length > NAMES_MAX)
          throw fail('FIELDS_INVALID', { fields: [{ field: 'user_ids', message: `must be at most ${NAMES_MAX}` }] });
        return ports.groups.listReceivers(userIds, groupId === '' ? undefined : readGroupId(groupId));
      },
    },
    listNames: {
      callers,
      handle: async ({ userIds, groupIds }) => {
        const ids = groupIds.slice(0, NAMES_MAX).map(readGroupId);
        const { users, groups } = await ports.groups.listNames(userIds.slice(0, NAMES_MAX), ids);
        return { users: users.map(toUser), groups: groups.map(({ id, name }) => ({ groupId: id, name })) };
      },
    },
  }) satisfies Partial<Routes<typeof auth.AuthServiceService>>;
