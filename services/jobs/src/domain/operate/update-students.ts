import { createShare, type SharePorts } from '../access/change-shares.js';
import { invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import { setQuota } from '../usage/set-quota.js';
import type { QuotaOverride, UsageStore } from '../usage/usage-ports.js';
import type { LeavingStore } from './operator-ports.js';

/** What holds for all students of a class alike; what is undefined stays as it is. */
export interface StudentsChange {
  readonly ownerIds: readonly UserId[];
  readonly quota: QuotaOverride | undefined;
  /** When what they have is removed: never, or not before a moment; without one at once. */
  readonly removal: 'never' | { readonly dueAt: Date | undefined } | undefined;
  /** Projects that the group may read. */
  readonly templates: { readonly groupId: string; readonly projectIds: readonly string[] };
}

export interface UpdateStudentsPorts extends SharePorts {
  readonly leaving: Pick<LeavingStore, 'addOwners' | 'keepOwners'>;
  readonly usage: Pick<UsageStore, 'putQuota'>;
}

const OWNERS_MAX = 1_000;
const TEMPLATES_MAX = 100;

/**
 * Sets what holds for the students of a class. Steps that a failure leaves undone a repeat does: each may be done twice.
 * @param teacherId - owner of the projects
 * @throws ServiceError REQUEST_INVALID, and of projects as createShare
 */
export async function updateStudents(ports: UpdateStudentsPorts, teacherId: UserId, change: StudentsChange) {
  const { ownerIds, quota, removal, templates } = change;
  if (ownerIds.length < 1 || ownerIds.length > OWNERS_MAX || ownerIds.some((id) => id <= 0n)) {
    throw invalidField('/owner_ids', `must be 1 to ${OWNERS_MAX} users`);
  }
  if (templates.projectIds.length > TEMPLATES_MAX) {
    throw invalidField('/templates', `must be at most ${TEMPLATES_MAX} projects`);
  }
  if (quota !== undefined) {
    const subjects = ownerIds.map((userId) => ({ kind: 'user', userId }) as const);
    await setQuota(ports, subjects, quota);
  }
  if (removal === 'never') await ports.leaving.keepOwners(ownerIds);
  else if (removal !== undefined) await ports.leaving.addOwners(ownerIds, removal.dueAt);
  const { groupId } = templates;
  for (const id of templates.projectIds) {
    await createShare(ports, {
      ownerId: teacherId,
      resource: { kind: 'project', id },
      subject: { kind: 'group', groupId },
      expiresAt: undefined,
      groups: new Map([[groupId, 'manager']]), // a class that is made next has its group then
    });
  }
}
