import { randomBytes } from 'node:crypto';
import type { Branded, FieldFault } from '@tally/service-kit';
import { lengthOf, UNPRINTABLE, type User } from '../user/user.js';

/** 16 hexadecimal digits. */
export type GroupId = Branded<'GroupId'>;

/**
 * What a member may do with jobs and projects of the group: a viewer sees them, a member changes them, too, and a manager deletes
 * them and decides who is in the group.
 */
export const GROUP_ROLES = ['viewer', 'member', 'manager'] as const;
export type GroupRole = (typeof GROUP_ROLES)[number];

/** A group as a member sees it. */
export interface Group {
  readonly id: GroupId;
  /** 1 to 128 characters, one line; several groups may have the same. */
  readonly name: string;
  /** Of the user who sees it. */
  readonly role: GroupRole;
  /** Whether it and its members come from a claim of the realm: nobody changes them here. */
  readonly isOfRealm: boolean;
  readonly memberCount: number;
  readonly createdAt: Date;
}

/** A user in a group. */
export interface Member {
  readonly user: User;
  readonly role: GroupRole;
  readonly joinedAt: Date;
}

/** Groups of one user: their ids travel with every call. */
export const GROUPS_PER_USER_MAX = 100;
/** Members of one group: they are one answer. */
export const MEMBERS_PER_GROUP_MAX = 1_000;

const ID_BYTES = 8;
const NAME_LENGTH_MAX = 128;

/** An id that no group has had. */
export const newGroupId = (): GroupId => randomBytes(ID_BYTES).toString('hex') as GroupId;

/** The text as a group id; what cannot be one names no group. */
export const readGroupId = (text: string): GroupId => text.replaceAll('\0', '\ufffd') as GroupId;

/** What is wrong with the name of a group; undefined: nothing. */
export function groupNameFault(name: string): FieldFault | undefined {
  if (name.trim() === '') return { field: 'name', message: 'is required' };
  if (lengthOf(name) > NAME_LENGTH_MAX)
    return { field: 'name', message: `must have at most ${NAME_LENGTH_MAX} characters` };
  return UNPRINTABLE.test(name) ? { field: 'name', message: 'must not contain control characters' } : undefined;
}
