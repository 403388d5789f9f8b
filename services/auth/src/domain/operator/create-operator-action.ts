import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { UserStore } from '../ports.js';
import type { OperatorStore } from './operator-ports.js';
import type { Operators } from './operators.js';

export interface OperatorPorts {
  readonly operator: OperatorStore;
  readonly users: Pick<UserStore, 'find'>;
  readonly operators: Operators;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** What an operator is about to do, as the gateway says it. */
export interface WantedAction {
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly isChange: boolean;
}

const TEXT_LENGTH_MAX = 500;
const ACTION = /^[a-z]+(?:\.[a-z_]+)+$/;

/**
 * Writes into the trail what an operator is about to do. The role is looked at anew: an access token lives for minutes after it was taken away.
 * @returns its number in the trail
 * @throws ServiceError FIELDS_INVALID, OPERATOR_REVOKED
 */
export async function createOperatorAction(
  { operator, users, operators, audit, clock }: OperatorPorts,
  operatorId: bigint,
  requestId: string,
  wanted: WantedAction,
): Promise<bigint> {
  const fields = findFaults(wanted);
  if (fields.length > 0) throw fail('FIELDS_INVALID', { fields });
  const acting = await operator.findActing(operatorId, clock.now());
  const isOperator = acting !== undefined && (acting.hasClaim || operators.has(acting.user));
  if (!isOperator) {
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
