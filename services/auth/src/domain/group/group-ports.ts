import type { User } from '../user/user.js';
import type { Group, GroupId, GroupRole, Member } from './group.js';

/** What a change of a group is decided by, as it is in the transaction that makes the change. */
export interface GroupSnapshot {
  readonly isOfRealm: boolean;
  /** Undefined: the acting user is no member. */
  readonly actorRole: GroupRole | undefined;
  /** Of whom the change concerns; undefined: no member, or the change concerns nobody. */
  readonly subjectRole: GroupRole | undefined;
  /** Groups of whom the change concerns. */
  readonly subjectGroupCount: number;
  /** Managers besides whom the change concerns, who can sign in. */
  readonly otherManagerCount: number;
  readonly memberCount: number;
}

/** A change of a group; members are those whom it concerns. */
export type GroupChange =
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'save_member'; readonly role: GroupRole }
  | { readonly kind: 'delete_member' };

/** Who changes which group, and whom it concerns. */
export interface GroupTarget {
  readonly groupId: GroupId;
  readonly actorId: bigint;
  readonly subjectId?: bigint;
}

/** Groups and their members. Every method is one transaction, and those that change memberships come one after the other. */
export interface GroupStore {
  /** Groups of the user, by name. */
  list(userId: bigint): Promise<Group[]>;
  /** Makes a group with the user as its manager. @returns undefined when the user is in `perUserMax` groups */
  create(userId: bigint, id: GroupId, name: string, now: Date, perUserMax: number): Promise<Group | undefined>;
  /**
   * Makes the change that `decide` finds right; what it throws undoes everything. Nobody is a member of a group that does not
   * exist.
   */
  change(target: GroupTarget, now: Date, decide: (snapshot: GroupSnapshot) => GroupChange): Promise<void>;
  /** Members by role, managers first, and name. @returns undefined when the acting user is none */
  listMembers(groupId: GroupId, actorId: bigint): Promise<Member[] | undefined>;
  /** Makes the groups of the realm that have the user those of these names; groups that nobody is in stay. @returns whether anything has changed */
  saveRealmGroups(userId: bigint, names: readonly string[], newId: () => GroupId, now: Date): Promise<boolean>;
  /** Grows with every change of a membership; 0: there has been none. */
  readVersion(): Promise<bigint>;
  /** Users of an exact name: at most one of each provider. */
  findUsers(username: string): Promise<User[]>;
  /** Of users those who are neither blocked nor deleted, and those who are in a group; undefined: in none. */
  listReceivers(
    userIds: readonly bigint[],
    groupId: GroupId | undefined,
  ): Promise<{ readonly activeUserIds: bigint[]; readonly memberUserIds: bigint[] }>;
  /** Users and groups of these ids; unknown ones are left out. */
  listNames(
    userIds: readonly bigint[],
    groupIds: readonly string[],
  ): Promise<{ readonly users: User[]; readonly groups: { readonly id: GroupId; readonly name: string }[] }>;
}
