import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { UserStore } from '../ports.js';
import type { OperatorStore } from './operator-ports.js';
import { type Role, type Roles, roleOf } from './operators.js';

export interface OperatorPorts {
  readonly operator: OperatorStore;
  readonly users: Pick<UserStore, 'find'>;
  readonly roles: Roles;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** What an operator or a teacher is about to do, as the gateway says it. */
export interface WantedAction {
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly isChange: boolean;
}

/** Who acts, in the role of the access token. */
export interface Acting {
  readonly userId: bigint;
  readonly role: Role;
  readonly requestId: string;
}

const TEXT_LENGTH_MAX = 500;
const ACTION = /^[a-z]+(?:\.[a-z_]+)+$/;

/** All that teachers do begins so. */
const CLASS_ACTION = 'classes.';

/**
 * Writes into the trail what an operator is about to do, or a teacher with his classes. The role is looked at anew: an access token lives for
 * minutes after it was taken away.
 * @returns its number in the trail
 * @throws ServiceError FIELDS_INVALID, OPERATOR_REVOKED
 */
export async function createOperatorAction(
  { operator, users, roles, audit, clock }: OperatorPorts,
  { userId: operatorId, role: actingRole, requestId }: Acting,
  wanted: WantedAction,
): Promise<bigint> {
  const fields = findFaults(wanted);
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  const acting = await operator.findActing(operatorId, clock.now());
  const role = acting && roleOf(roles, acting.user, acting.claimedRole);
  const isTeaching = role === 'teacher' && actingRole === 'teacher' && wanted.action.startsWith(CLASS_ACTION);
  if (acting === undefined || !(role === 'operator' || isTeaching)) {
    audit('auth.operator.action_refused', { userId: operatorId, reason: 'OPERATOR_REVOKED' });
    throw fail('OPERATOR_REVOKED');
  }
  const target = await nameTarget(users, wanted.target);
  return operator.addAction({ ...wanted, target, operatorId, operatorName: acting.user.username, requestId });
}

function findFaults({ action, target, reason, isChange }: WantedAction) {
  const tooLong = (field: string, text: string) =>
    text.length > TEXT_LENGTH_MAX ? [{ field, message: `must have at most ${TEXT_LENGTH_MAX} characters` }] : [];
  return [
    ...(ACTION.test(action) ? [] : [{ field: 'action', message: 'must be words with dots between' }]),
    ...tooLong('target', target),
    ...tooLong('reason', reason),
    ...(isChange && reason.trim() === '' ? [{ field: 'reason', message: 'is required' }] : []),
  ];
}

/** A user who is named by his number gets his name, too: after his deletion nobody knows it. */
async function nameTarget(users: OperatorPorts['users'], target: string): Promise<string> {
  const userId = /^user=(\d{1,18})\b/.exec(target)?.[1];
  const user = userId === undefined ? undefined : await users.find(BigInt(userId));
  return user === undefined ? target : `${target} ${user.username}`.slice(0, TEXT_LENGTH_MAX);
}

/** In the place of an operator: no user has the number 0. */
const BY_RULE = '(rule)';

/**
 * Writes into the trail what a service does by a rule that operators have set.
 * @returns its number in the trail
 * @throws ServiceError FIELDS_INVALID
 */
export async function createRuleAction(
  { operator, users }: Pick<OperatorPorts, 'operator' | 'users'>,
  requestId: string,
  wanted: Omit<WantedAction, 'isChange'>,
): Promise<bigint> {
  const action = { ...wanted, isChange: true };
  const fields = findFaults(action);
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  const target = await nameTarget(users, wanted.target);
  return operator.addAction({ ...action, target, operatorId: 0n, operatorName: BY_RULE, requestId });
}
