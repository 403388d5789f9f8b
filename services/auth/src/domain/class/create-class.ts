import { randomBytes } from 'node:crypto';
import { fail } from '../errors.js';
import { newGroupId } from '../group/group.js';
import { hashLinkToken, newLinkToken } from '../link/one-time-link.js';
import type { OperatorPorts } from '../operator/create-operator-action.js';
import type { Passwords } from '../user/password.js';
import { normalizeUsername } from '../user/user.js';
import { type Class, type ClassStore, classFaults, type WantedClass } from './class.js';

export interface CreateClassPorts extends OperatorPorts {
  readonly classes: ClassStore;
  readonly passwords: Passwords;
}

/** A student's link, shown this once. */
export interface Invitation {
  readonly userId: bigint;
  readonly username: string;
  readonly token: string;
  readonly expiresAt: Date;
}

const DAY_MS = 86_400_000;
/** A student who has not come by then gets another link. */
const INVITATION_MS = 14 * DAY_MS;

/**
 * Makes accounts of a list of names, each with a link by which its student sets a password, and a group of them that the operator manages. Until a
 * link is used nobody can log in: all have the hash of a password that nobody knows.
 * @throws ServiceError FIELDS_INVALID, USERNAME_TAKEN, LOGINS_BUSY
 */
export async function createClass(
  { classes, passwords, operators, audit, clock }: CreateClassPorts,
  managerId: bigint,
  wanted: WantedClass,
): Promise<{ readonly made: Class; readonly invitations: readonly Invitation[] }> {
  const now = clock.now();
  const usernames = wanted.usernames.map(normalizeUsername);
  const reserved = usernames.flatMap((username, i) =>
    operators.hasLocalName(username)
      ? [{ field: `usernames/${i}`, message: `${username} is the name of an operator` }]
      : [],
  );
  const fields = [...classFaults({ ...wanted, usernames }, now), ...reserved];
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  const passwordHash = await passwords.inTurn({ lane: 'class', isKnown: true }, (hashes) =>
    hashes.hash(randomBytes(32).toString('base64url')),
  );
  const expiresAt = new Date(Math.min(wanted.endsAt.getTime(), now.getTime() + INVITATION_MS));
  const students = usernames.map((username) => {
    const token = newLinkToken();
    const tokenHash = hashLinkToken(token);
    if (tokenHash === undefined) throw new Error('a new token has the form of tokens');
    return { username, token, tokenHash };
  });
  const { name, endsAt, isDeletedAtEnd } = wanted;
  const made = {
    id: newGroupId() as string,
    name,
    groupId: newGroupId(),
    createdAt: now,
    endsAt,
    isDeletedAtEnd,
    endedAt: null,
  };
  const outcome = await classes.create(made, managerId, students, { passwordHash, linkExpiresAt: expiresAt });
  if ('taken' in outcome) {
    const taken = outcome.taken.map((username) => ({
      field: `usernames/${usernames.indexOf(username)}`,
      message: `${username} is taken`,
    }));
    throw fail('USERNAME_TAKEN', { message: `These names are taken: ${outcome.taken.join(', ')}`, fields: taken });
  }
  audit('auth.class.created', { userId: managerId, count: students.length });
  const invitations = students.map(({ username, token }, i) => ({
    userId: outcome.userIds[i] ?? 0n,
    username,
    token,
    expiresAt,
  }));
  return { made, invitations };
}
