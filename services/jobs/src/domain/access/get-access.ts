import { fail } from '../errors.js';
import type { UserId } from '../job.js';
import { type Action, type Actor, allowedTo, relationsOf, subjectsOf } from './access.js';
import type { AccessStore } from './access-ports.js';
import type { Resource } from './share.js';

/** What somebody may do with a job or project, and in whose name its owner's queries find it. */
export interface Access {
  readonly ownerId: UserId;
  readonly actions: readonly Action[];
  /** The group that it belongs to, where the actor may know of it; else null. */
  readonly groupId: string | null;
}

/** What is said of something that is not there, or that the actor may not see. */
const MISSING = { job: 'JOB_NOT_FOUND', project: 'PROJECT_NOT_FOUND' } as const;
const FOREIGN = { job: 'JOB_OF_ANOTHER_USER', project: 'PROJECT_OF_ANOTHER_USER' } as const;

/**
 * The one place where access is decided. Nothing is remembered: what has been taken back does not hold at the next call.
 * @param action - undefined: any
 * @throws ServiceError JOB_NOT_FOUND, PROJECT_NOT_FOUND, JOB_OF_ANOTHER_USER, PROJECT_OF_ANOTHER_USER, ACCESS_INSUFFICIENT; of who is
 *   not signed in SHARE_LINK_INVALID
 */
export async function getAccess(
  access: Pick<AccessStore, 'findAccess'>,
  resource: Resource,
  actor: Actor,
  action: Action | undefined,
): Promise<Access> {
  const facts = await access.findAccess(resource, subjectsOf(actor));
  const relations = facts === undefined ? [] : relationsOf(facts, actor);
  if (actor.userId === undefined && relations.length === 0) throw fail('SHARE_LINK_INVALID');
  if (facts === undefined) throw fail(MISSING[resource.kind]);
  if (relations.length === 0) throw fail(FOREIGN[resource.kind]);
  const actions = allowedTo(relations);
  if (action !== undefined && !actions.includes(action)) throw fail('ACCESS_INSUFFICIENT');
  const { ownerId, groupId } = facts;
  const knowsGroup = groupId !== null && (actor.userId === ownerId || actor.groups.has(groupId));
  return { ownerId, actions, groupId: knowsGroup ? groupId : null };
}
