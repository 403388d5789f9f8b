import { fail } from '../errors.js';
import type { OperatorPorts } from './create-operator-action.js';
import type { EndedIds, UserState } from './operator-ports.js';

/**
 * A deleted user's row stays for so long, a day: with his credential what he left on clusters is removed until then, and nobody else takes
 * his name meanwhile.
 */
export const DELETED_KEPT_MS = 86_400_000;

export type UserBlockPorts = OperatorPorts;

/**
 * Blocks or deletes a user, or takes a block away. His sessions and API tokens end with it. An operator by the configuration is protected: two
 * of them could otherwise shut each other out.
 * @throws ServiceError USER_NOT_FOUND, OPERATOR_PROTECTED
 */
export async function setUserState(ports: UserBlockPorts, userId: bigint, state: UserState): Promise<EndedIds> {
  const user = await ports.users.find(userId);
  if (user === undefined) throw fail('USER_NOT_FOUND');
  if (state !== 'active' && ports.roles.operators.has(user)) throw fail('OPERATOR_PROTECTED');
  const ended = await ports.operator.setState(userId, state, ports.clock.now());
  if (ended === undefined) throw fail('USER_NOT_FOUND');
  const event = { active: 'auth.user.unblocked', blocked: 'auth.user.blocked', deleted: 'auth.user.deleted' } as const;
  ports.audit(event[state], { userId, username: user.username, provider: user.provider, count: ended.length });
  return ended;
}

/** Ends all that a user has open. @throws ServiceError USER_NOT_FOUND */
export async function endUserSessions({ operator, audit, clock }: OperatorPorts, userId: bigint): Promise<EndedIds> {
  const ended = await operator.endAll(userId, clock.now());
  if (ended === undefined) throw fail('USER_NOT_FOUND');
  audit('auth.session.all_ended', { userId, count: ended.length, reason: 'OPERATOR' });
  return ended;
}
