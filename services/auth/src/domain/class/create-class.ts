import { randomBytes } from 'node:crypto';
import { fail } from '../errors.js';
import { type GroupId, newGroupId } from '../group/group.js';
import { hashLinkToken, newLinkToken } from '../link/one-time-link.js';
import type { OperatorPorts } from '../operator/create-operator-action.js';
import type { Passwords } from '../user/password.js';
import { type Class, type ClassStore, namesTaken, readWantedClass, type WantedClass } from './class.js';
import { type Invitation, invitationEnd } from './create-invitations.js';

export interface CreateClassPorts extends OperatorPorts {
  readonly classes: ClassStore;
  readonly passwords: Passwords;
}

/** Numbers of a class that is not there yet: other services can be told of its students before they can log in. */
export interface PreparedClass {
  readonly classId: string;
  readonly groupId: GroupId;
  /** In the order of the names. */
  readonly userIds: readonly bigint[];
}

/**
 * Checks a class that is to be made, and draws its numbers. Nothing is made.
 * @throws ServiceError FIELDS_INVALID, USERNAME_TAKEN
 */
export async function prepareClass(
  { classes, roles, clock }: Pick<CreateClassPorts, 'classes' | 'roles' | 'clock'>,
  wanted: WantedClass,
): Promise<PreparedClass> {
  const { usernames } = readWantedClass(roles, wanted, clock.now());
  const taken = await classes.findTaken(usernames);
  if (taken.length > 0) throw namesTaken(usernames, taken);
  return { classId: newGroupId(), groupId: newGroupId(), userIds: await classes.drawUserIds(usernames.length) };
}

const ID = /^[0-9a-f]{16}$/;

/**
 * Makes accounts of a list of names, each with a link by which its student sets a password, and a group of them that the teacher manages. Until a
 * link is used nobody can log in: all have the hash of a password that nobody knows.
 * @param prepared - as {@link prepareClass} gave it
 * @throws ServiceError FIELDS_INVALID, USERNAME_TAKEN, LOGINS_BUSY
 */
export async function createClass(
  { classes, passwords, roles, audit, clock }: CreateClassPorts,
  teacherId: bigint,
  prepared: PreparedClass,
  given: WantedClass,
): Promise<{ readonly made: Class; readonly invitations: readonly Invitation[] }> {
  const now = clock.now();
  const { usernames, ...wanted } = readWantedClass(roles, given, now);
  checkPrepared(prepared, usernames.length);
  const { classId: id, groupId, userIds } = prepared;
  const passwordHash = await passwords.inTurn({ lane: 'class', isKnown: true }, (hashes) =>
    hashes.hash(randomBytes(32).toString('base64url')),
  );
  const expiresAt = invitationEnd(now, wanted.endsAt);
  const students = usernames.map((username, i) => {
    const token = newLinkToken();
    const tokenHash = hashLinkToken(token);
    const userId = userIds[i];
    if (tokenHash === undefined || userId === undefined) throw new Error('a student has a number and a token');
    return { userId, username, token, tokenHash };
  });
  const made = { ...wanted, id, groupId, teacherId, createdAt: now, endedAt: null };
  const taken = await classes.create(made, students, { passwordHash, linkExpiresAt: expiresAt });
  if (taken !== undefined) throw namesTaken(usernames, taken);
  audit('auth.class.created', { userId: teacherId, groupId, count: students.length });
  return { made, invitations: students.map(({ userId, username, token }) => ({ userId, username, token, expiresAt })) };
}

/** @throws ServiceError FIELDS_INVALID */
function checkPrepared({ classId, groupId, userIds }: PreparedClass, count: number): void {
  const ids = new Set(userIds);
  if (ID.test(classId) && ID.test(groupId) && userIds.length === count && ids.size === count) return;
  throw fail('FIELDS_INVALID', { fields: [{ field: 'user_ids', message: 'must be as PrepareClass gave them' }] });
}
