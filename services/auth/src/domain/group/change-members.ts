import { fail } from '../errors.js';
import type { Provider } from '../user/user.js';
import { checkManager, type GroupPorts } from './change-group.js';
import { type FindUserPorts, getUserByName } from './get-user-by-name.js';
import { GROUPS_PER_USER_MAX, type GroupId, type GroupRole, MEMBERS_PER_GROUP_MAX, type Member } from './group.js';
import type { GroupChange, GroupSnapshot } from './group-ports.js';

/** Whom to add, by the exact user name. */
export interface WantedMember {
  readonly groupId: GroupId;
  readonly username: string;
  /** Undefined: whoever vouches for the name. */
  readonly provider: Provider | undefined;
  readonly role: GroupRole | undefined;
}

const roleMissing = () => fail('FIELDS_INVALID', { fields: [{ field: 'role', message: 'is required' }] });

/** Adding a member. @throws ServiceError as {@link checkManager}; MEMBER_EXISTS, MEMBERS_EXCEEDED, GROUPS_EXCEEDED */
export function decideCreateMember(snapshot: GroupSnapshot, role: GroupRole): GroupChange {
  checkManager(snapshot);
  if (snapshot.subjectRole !== undefined) throw fail('MEMBER_EXISTS');
  if (snapshot.memberCount >= MEMBERS_PER_GROUP_MAX) throw fail('MEMBERS_EXCEEDED');
  if (snapshot.subjectGroupCount >= GROUPS_PER_USER_MAX) throw fail('GROUPS_EXCEEDED');
  return { kind: 'save_member', role };
}

/** Another role of a member. @throws ServiceError as {@link checkManager}; MEMBER_NOT_FOUND, LAST_MANAGER */
export function decideUpdateMember(snapshot: GroupSnapshot, role: GroupRole): GroupChange {
  checkManager(snapshot);
  if (snapshot.subjectRole === undefined) throw fail('MEMBER_NOT_FOUND');
  if (role !== 'manager') checkOtherManager(snapshot);
  return { kind: 'save_member', role };
}

/** The end of a membership. @throws ServiceError as {@link checkManager} unless the user leaves; MEMBER_NOT_FOUND, LAST_MANAGER */
export function decideDeleteMember(snapshot: GroupSnapshot, isLeaving: boolean): GroupChange {
  if (!isLeaving) checkManager(snapshot);
  if (snapshot.actorRole === undefined) throw fail('GROUP_NOT_FOUND');
  if (snapshot.isOfRealm) throw fail('GROUP_OF_REALM');
  if (snapshot.subjectRole === undefined) throw fail('MEMBER_NOT_FOUND');
  checkOtherManager(snapshot);
  return { kind: 'delete_member' };
}

/** @throws ServiceError LAST_MANAGER when whom the change concerns is the only manager who can sign in */
function checkOtherManager({ subjectRole, otherManagerCount }: GroupSnapshot): void {
  if (subjectRole === 'manager' && otherManagerCount === 0) throw fail('LAST_MANAGER');
}

/**
 * Adds a user to a group. A name is looked up for managers only.
 * @throws ServiceError FIELDS_INVALID, as {@link decideCreateMember} and {@link getUserByName}
 */
export async function createMember(
  ports: GroupPorts & FindUserPorts,
  actorId: bigint,
  { groupId, username, provider, role }: WantedMember,
): Promise<Member> {
  if (role === undefined) throw roleMissing();
  const group = (await ports.groups.list(actorId)).find(({ id }) => id === groupId);
  if (group === undefined) throw fail('GROUP_NOT_FOUND');
  const { role: actorRole, isOfRealm } = group;
  const none = { subjectRole: undefined, subjectGroupCount: 0, otherManagerCount: 0, memberCount: 0 };
  checkManager({ ...none, actorRole, isOfRealm });
  const joinedAt = ports.clock.now();
  const user = await getUserByName(ports, actorId, username, provider);
  await ports.groups.change({ actorId, groupId, subjectId: user.id }, joinedAt, (snapshot) =>
    decideCreateMember(snapshot, role),
  );
  ports.audit('auth.member.added', { userId: actorId, groupId, subjectId: user.id, role });
  return { user, role, joinedAt };
}

/** Gives a member another role. @throws ServiceError FIELDS_INVALID, and as {@link decideUpdateMember} */
export async function updateMember(
  ports: GroupPorts,
  actorId: bigint,
  {
    groupId,
    userId: subjectId,
    role,
  }: { readonly groupId: GroupId; readonly userId: bigint; readonly role: GroupRole | undefined },
): Promise<void> {
  if (role === undefined) throw roleMissing();
  await ports.groups.change({ actorId, groupId, subjectId }, ports.clock.now(), (snapshot) =>
    decideUpdateMember(snapshot, role),
  );
  ports.audit('auth.member.role_changed', { userId: actorId, groupId, subjectId, role });
}

/** Takes a member out of a group; the acting user leaves it. @throws ServiceError as {@link decideDeleteMember} */
export async function deleteMember(
  ports: GroupPorts,
  actorId: bigint,
  { groupId, userId: subjectId }: { readonly groupId: GroupId; readonly userId: bigint },
): Promise<void> {
  const isLeaving = actorId === subjectId;
  await ports.groups.change({ actorId, groupId, subjectId }, ports.clock.now(), (snapshot) =>
    decideDeleteMember(snapshot, isLeaving),
  );
  ports.audit('auth.member.removed', { userId: actorId, groupId, subjectId });
}
