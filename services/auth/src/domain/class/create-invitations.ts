import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import { newLinkOf } from '../link/new-link.js';
import type { LinkStore } from '../ports.js';
import type { ClassScope, ClassStore } from './class.js';

export interface CreateInvitationsPorts {
  readonly classes: Pick<ClassStore, 'list'>;
  readonly links: Pick<LinkStore, 'replace'>;
  readonly audit: Audit;
  readonly clock: Clock;
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

/** Until when a link of a class works that is made now. */
export const invitationEnd = (now: Date, classEndsAt: Date): Date =>
  new Date(Math.min(classEndsAt.getTime(), now.getTime() + INVITATION_MS));

/**
 * Makes links in place of earlier ones, of a student, or of all who have not joined. Only accounts that the class has made get one.
 * @throws ServiceError CLASS_NOT_FOUND, CLASS_ENDED, USER_NOT_FOUND (no student of the class, or one who is blocked or deleted)
 */
export async function createInvitations(
  { classes, links, audit, clock }: CreateInvitationsPorts,
  scope: ClassScope,
  classId: string,
  userId: bigint | undefined,
): Promise<readonly Invitation[]> {
  const now = clock.now();
  const [found] = await classes.list(scope, classId, now, 1);
  if (found === undefined) throw fail('CLASS_NOT_FOUND');
  if (found.endedAt !== null || found.endsAt <= now) throw fail('CLASS_ENDED');
  const active = found.students.filter(({ state }) => state === 'active');
  const invited = active.filter(({ id, lastLoginAt }) => (userId === undefined ? lastLoginAt === null : id === userId));
  if (userId !== undefined && invited.length === 0) throw fail('USER_NOT_FOUND');
  const made: Invitation[] = [];
  for (const { id, username } of invited) {
    const lifetimeMs = invitationEnd(now, found.endsAt).getTime() - now.getTime();
    const link = await newLinkOf(links, { userId: id, purpose: 'password_reset' }, lifetimeMs, now);
    made.push({ userId: id, username, ...link });
  }
  audit('auth.class.invited', { groupId: found.groupId, count: made.length });
  return made;
}
