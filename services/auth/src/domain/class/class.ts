import type { FieldFault } from '@tally/service-kit';
import type { GroupId } from '../group/group.js';
import type { ListedUser } from '../operator/operator-ports.js';
import { UNPRINTABLE, usernameFault } from '../user/user.js';

/** What an operator wants. */
export interface WantedClass {
  readonly name: string;
  /** Normalized. */
  readonly usernames: readonly string[];
  readonly endsAt: Date;
  /** Its accounts are deleted then; false: blocked. */
  readonly isDeletedAtEnd: boolean;
}

/** A class as it is stored. */
export interface Class extends Omit<WantedClass, 'usernames'> {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly groupId: GroupId;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** A class with its students, by their names. */
export interface ListedClass extends Class {
  readonly students: readonly ListedUser[];
}

/** A student's account with the hash of the token of the link. */
export interface NewStudent {
  readonly username: string;
  readonly tokenHash: Uint8Array<ArrayBuffer>;
}

export interface ClassStore {
  /**
   * Makes the accounts with their links, and the group, all or nothing.
   * @returns numbers of the users in the order of the names; the names that are taken: nothing was made
   */
  create(
    made: Class,
    managerId: bigint,
    students: readonly NewStudent[],
    account: { readonly passwordHash: string; readonly linkExpiresAt: Date },
  ): Promise<{ readonly userIds: readonly bigint[] } | { readonly taken: readonly string[] }>;
  list(now: Date, rowsMax: number): Promise<readonly ListedClass[]>;
  /** Ends classes whose day has come: blocks or deletes their users. @returns how many */
  endDue(now: Date, rowsMax: number): Promise<number>;
}

const STUDENTS_MAX = 200;
const NAME_LENGTH_MAX = 100;
const LENGTH_MAX_MS = 366 * 86_400_000;

/** What is wrong with a class; none: nothing. */
export function classFaults({ name, usernames, endsAt }: WantedClass, now: Date): FieldFault[] {
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
  for (const [i, username] of usernames.entries()) {
    const fault = usernameFault(username);
    if (fault !== undefined) faults.push({ field: `usernames/${i}`, message: fault.message });
    else if (usernames.indexOf(username) < i)
      faults.push({ field: `usernames/${i}`, message: `${username} is there twice` });
  }
  return faults;
}
