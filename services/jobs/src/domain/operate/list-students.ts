import { invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import type { QuotaOverride } from '../usage/usage-ports.js';
import type { Belongings } from './operator-ports.js';

/** What a student has. */
export interface Student extends Belongings {
  readonly ownerId: UserId;
  /** Undefined: nothing is set. */
  readonly quota: QuotaOverride | undefined;
}

/** A project that a group may read. */
export interface ClassTemplate {
  readonly groupId: string;
  readonly projectId: string;
  readonly title: string;
  /** What takes it back. */
  readonly shareId: string;
}

export interface StudentStore {
  /** Those who have anything, by their numbers. */
  listStudents(ownerIds: readonly UserId[]): Promise<readonly Student[]>;
  /** By their titles. */
  listTemplates(groupIds: readonly string[]): Promise<readonly ClassTemplate[]>;
}

const OWNERS_MAX = 100_000;
const GROUPS_MAX = 1_000;

/** What students have, and what their groups may read. @throws ServiceError REQUEST_INVALID */
export async function listStudents(
  { students }: { readonly students: StudentStore },
  ownerIds: readonly UserId[],
  groupIds: readonly string[],
): Promise<{ readonly students: readonly Student[]; readonly templates: readonly ClassTemplate[] }> {
  if (ownerIds.length > OWNERS_MAX) throw invalidField('/owner_ids', `must be at most ${OWNERS_MAX}`);
  if (groupIds.length > GROUPS_MAX) throw invalidField('/group_ids', `must be at most ${GROUPS_MAX}`);
  const [found, templates] = await Promise.all([students.listStudents(ownerIds), students.listTemplates(groupIds)]);
  return { students: found, templates };
}
