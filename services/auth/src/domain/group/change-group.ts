import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import { GROUPS_PER_USER_MAX, type Group, type GroupId, groupNameFault, newGroupId } from './group.js';
import type { GroupSnapshot, GroupStore } from './group-ports.js';

/** What changes of groups need. */
export interface GroupPorts {
  readonly groups: GroupStore;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Only a manager of a group that was made here goes on.
 * @throws ServiceError GROUP_NOT_FOUND, GROUP_ROLE_REQUIRED, GROUP_OF_REALM
 */
export function checkManager({ actorRole, isOfRealm }: GroupSnapshot): void {
  if (actorRole === undefined) throw fail('GROUP_NOT_FOUND');
  if (isOfRealm) throw fail('GROUP_OF_REALM');
  if (actorRole !== 'manager') throw fail('GROUP_ROLE_REQUIRED');
}

/** @throws ServiceError FIELDS_INVALID */
function checkName(name: string): void {
  const fault = groupNameFault(name);
  if (fault !== undefined) throw fail('FIELDS_INVALID', { fields: [fault] });
}

/** Makes a group with the user as its manager. @throws ServiceError FIELDS_INVALID, GROUPS_EXCEEDED */
export async function createGroup({ groups, audit, clock }: GroupPorts, userId: bigint, name: string): Promise<Group> {
  checkName(name);
  const group = await groups.create(userId, newGroupId(), name, clock.now(), GROUPS_PER_USER_MAX);
  if (group === undefined) throw fail('GROUPS_EXCEEDED');
  audit('auth.group.created', { userId, groupId: group.id });
  return group;
}

/** Renames a group. @throws ServiceError FIELDS_INVALID, and as {@link checkManager} */
export async function updateGroup(ports: GroupPorts, actorId: bigint, groupId: GroupId, name: string): Promise<void> {
  checkName(name);
  await ports.groups.change({ actorId, groupId }, ports.clock.now(), (snapshot) => {
    checkManager(snapshot);
    return { kind: 'rename', name };
  });
  ports.audit('auth.group.renamed', { userId: actorId, groupId });
}

/** Deletes a group and all memberships. @throws ServiceError as {@link checkManager} */
export async function deleteGroup(ports: GroupPorts, actorId: bigint, groupId: GroupId): Promise<void> {
  await ports.groups.change({ actorId, groupId }, ports.clock.now(), (snapshot) => {
    checkManager(snapshot);
    return { kind: 'delete' };
  });
  ports.audit('auth.group.deleted', { userId: actorId, groupId });
}
