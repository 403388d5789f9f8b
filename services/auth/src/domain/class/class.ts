import type { FieldFault } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { GroupId } from '../group/group.js';
import type { EndedIds, ListedUser } from '../operator/operator-ports.js';
import { isReservedName, type Roles } from '../operator/operators.js';
import { normalizeUsername, UNPRINTABLE, usernameFault } from '../user/user.js';

/** What a teacher wants. */
export interface WantedClass {
  readonly name: string;
  readonly usernames: readonly string[];
  readonly endsAt: Date;
  /** Its accounts are deleted then; false: blocked. */
  readonly isDeletedAtEnd: boolean;
}

/** A class as it is stored. */
export interface Class extends Omit<WantedClass, 'usernames'> {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** Of its students; the teacher manages it. It goes when the class is deleted. */
  readonly groupId: GroupId;
  /** Who made it; null: it is of a release that did not remember. */
  readonly teacherId: bigint | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** A class with its teacher's name and its students, by their names. */
export interface ListedClass extends Class {
  /** Empty: the account is not there any more. */
  readonly teacherName: string;
  readonly students: readonly ListedUser[];
}

/** Whose classes: a teacher's own; undefined: all, for operators. */
export interface ClassScope {
  readonly teacherId: bigint | undefined;
}

/** A student's account with the hash of the token of the link. */
export interface NewStudent {
  readonly userId: bigint;
  readonly username: string;
  readonly tokenHash: Uint8Array<ArrayBuffer>;
}

export interface ClassStore {
  /** Names of local users among these. */
  findTaken(usernames: readonly string[]): Promise<readonly string[]>;
  /** Numbers that no user has or will get. */
  drawUserIds(count: number): Promise<readonly bigint[]>;
  /**
   * Makes the accounts with their links, the group and the class, all or nothing.
   * @returns the names that are taken: nothing was made; undefined: all was made
   */
  create(
    made: Class,
    students: readonly NewStudent[],
    account: { readonly passwordHash: string; readonly linkExpiresAt: Date },
  ): Promise<readonly string[] | undefined>;
  /** The newest first. @param classId - only this one */
  list(scope: ClassScope, classId: string | undefined, now: Date, rowsMax: number): Promise<readonly ListedClass[]>;
  /**
   * Blocks or deletes its users, and ends what they have open; with deletion its group goes. One that was deleted stays so.
   * @returns what ended; undefined: there is no such class in the scope
   */
  end(scope: ClassScope, classId: string, isDeleted: boolean, now: Date): Promise<EndedIds | undefined>;
  /** Ends classes whose day has come. @returns how many */
  endDue(now: Date, rowsMax: number): Promise<number>;
}

const STUDENTS_MAX = 200;
const NAME_LENGTH_MAX = 100;
const LENGTH_MAX_MS = 366 * 86_400_000;

/**
 * Checks what a teacher wants.
 * @returns the same with normalized user names
 * @throws ServiceError FIELDS_INVALID
 */
export function readWantedClass(roles: Roles, wanted: WantedClass, now: Date): WantedClass {
  const usernames = wanted.usernames.map(normalizeUsername);
  const reserved = usernames.flatMap((username, i) =>
    isReservedName(roles, username)
      ? [{ field: `usernames/${i}`, message: `${username} is the name of an operator or teacher` }]
      : [],
  );
  const fields = [...classFaults({ ...wanted, usernames }, now), ...reserved];
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  return { ...wanted, usernames };
}

/** What is wrong with a class; none: nothing. */
function classFaults({ name, usernames, endsAt }: WantedClass, now: Date): FieldFault[] {
  const faults: FieldFault[] = [];
  if (name.trim() === '' || name.length > NAME_LENGTH_MAX || UNPRINTABLE.test(name)) {
    faults.push({ field: 'name', message: `must be 1 to ${NAME_LENGTH_MAX} characters on one line` });
  }
  const leftMs = endsAt.getTime() - now.getTime();
  if (!(leftMs > 0 && leftMs <= LENGTH_MAX_MS)) {
    faults.push({ field: 'ends_at', message: 'must be in the future, within 366 days' });
  }
  if (usernames.length === 0 || usernames.length > STUDENTS_MAX) {
    faults.push({ field: 'usernames', message: `must be 1 to ${STUDENTS_MAX} names` });
  }
  const seen = new Set<string>();
  for (const [i, username] of usernames.entries()) {
    const fault = usernameFault(username);
    if (fault !== undefined) faults.push({ field: `usernames/${i}`, message: fault.message });
    else if (seen.has(username)) faults.push({ field: `usernames/${i}`, message: `${username} is there twice` });
    seen.add(username);
  }
  return faults;
}

/** The error for names that are taken, each named. */
export function namesTaken(usernames: readonly string[], taken: readonly string[]) {
  const fields = taken.map((username) => ({
    field: `usernames/${usernames.indexOf(username)}`,
    message: `${username} is taken`,
  }));
  return fail('USERNAME_TAKEN', { message: `These names are taken: ${taken.join(', ')}`, fields });
}
