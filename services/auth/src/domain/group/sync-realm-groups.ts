import type { GroupPorts } from './change-group.js';
import { GROUPS_PER_USER_MAX, groupNameFault, newGroupId } from './group.js';

/** Names of groups in a claim that can be kept: each once, at most as many as a user may have. */
export function readRealmGroups(claim: unknown): string[] {
  const values = Array.isArray(claim) ? claim : [claim];
  const names = values.filter((name): name is string => typeof name === 'string' && groupNameFault(name) === undefined);
  return [...new Set(names)].slice(0, GROUPS_PER_USER_MAX);
}

/** Makes the user a member of the groups that the realm names, and of no other group of the realm. */
export async function syncRealmGroups(
  { groups, audit, clock }: GroupPorts,
  userId: bigint,
  names: readonly string[],
): Promise<void> {
  const isChanged = await groups.saveRealmGroups(userId, names, newGroupId, clock.now());
  if (isChanged) audit('auth.realm_groups.changed', { userId, count: names.length });
}
