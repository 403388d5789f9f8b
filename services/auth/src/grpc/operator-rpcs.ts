import { type auth, authOperator, nameOf } from '@tally/contracts';
import {
  actingInRole,
  actingUser,
  currentContext,
  type Implementation,
  implement,
  type Routes,
} from '@tally/service-kit';
import type { ListedClass } from '../domain/class/class.js';
import { type CreateClassPorts, createClass } from '../domain/class/create-class.js';
import { fail } from '../domain/errors.js';
import { passwordResetPath } from '../domain/link/one-time-link.js';
import { createOperatorAction } from '../domain/operator/create-operator-action.js';
import type { ListedUser, OperatorAction, TrailQuery, UserQuery } from '../domain/operator/operator-ports.js';
import { OPERATOR_ROLE } from '../domain/operator/operators.js';
import { endUserSessions, setUserState } from '../domain/operator/user-block.js';
import { type CreatePasswordResetPorts, createPasswordReset } from '../domain/user/create-password-reset.js';
import { toUser } from './mappers.js';

type Service = typeof authOperator.AuthOperatorServiceService;
type Method = keyof Service;

const callers = ['gateway'];
const PAGE_SIZE_MAX = 1_000;

const USER_STATES = {
  active: authOperator.UserState.USER_STATE_ACTIVE,
  blocked: authOperator.UserState.USER_STATE_BLOCKED,
  deleted: authOperator.UserState.USER_STATE_DELETED,
} as const;

/** What they need together. */
export type OperatorRpcPorts = CreateClassPorts & CreatePasswordResetPorts & { readonly publicUrl: string };

/** What operators may do. Who acts in another role is refused before anything else. */
export function operatorRpcs(ports: OperatorRpcPorts): Implementation {
  const routes: Routes<Service> = { ...trailRpcs(ports), ...userRpcs(ports), ...classRpcs(ports) };
  return implement(authOperator.AuthOperatorServiceService, routes);
}

/** A row of the table: the only way into it, so that none is without the check. */
function forOperators<M extends Method>(handle: Routes<Service>[M]['handle']): Routes<Service>[M] {
  const checked = (request: never) => {
    actingInRole(OPERATOR_ROLE);
    return (handle as (request: never) => unknown)(request);
  };
  return { callers, handle: checked } as unknown as Routes<Service>[M];
}

const trailRpcs = (ports: OperatorRpcPorts) => ({
  createOperatorAction: forOperators<'createOperatorAction'>(async (wanted) => {
    const { userId = 0n, requestId = '' } = currentContext() ?? {};
    return { actionId: await createOperatorAction(ports, userId, requestId, wanted) };
  }),
  reportOperatorAction: forOperators<'reportOperatorAction'>(async ({ actionId, failure }) => {
    if (!(await ports.operator.addFailure(actionId, failure.slice(0, 100)))) throw fail('ACTION_NOT_FOUND');
    return {};
  }),
  listOperatorActions: forOperators<'listOperatorActions'>(async (request) => ({
    actions: (await ports.operator.listActions(readTrailQuery(request))).map(toAction),
  })),
});

const userRpcs = (ports: OperatorRpcPorts) => ({
  listUsers: forOperators<'listUsers'>(async (request) => {
    const { users, userCount } = await ports.operator.listUsers(readUserQuery(request), ports.clock.now());
    return { userCount, users: users.map((user) => toListedUser(user, ports.operators.has(user))) };
  }),
  updateUserBlock: forOperators<'updateUserBlock'>(async ({ userId, isBlocked }) => ({
    endedIds: [...(await setUserState(ports, userId, isBlocked ? 'blocked' : 'active'))],
  })),
  deleteUserSessions: forOperators<'deleteUserSessions'>(async ({ userId }) => ({
    endedIds: [...(await endUserSessions(ports, userId))],
  })),
  createPasswordReset: forOperators<'createPasswordReset'>(async ({ userId }) => {
    const user = await ports.users.find(userId);
    if (user === undefined) throw fail('USER_NOT_FOUND');
    if (user.provider !== 'local') throw fail('PASSWORD_NOT_LOCAL');
    const { token, expiresAt } = await createPasswordReset(ports, user.username);
    return { link: `${ports.publicUrl}${passwordResetPath(token)}`, expiresAt };
  }),
  deleteUser: forOperators<'deleteUser'>(async ({ userId }) => ({
    endedIds: [...(await setUserState(ports, userId, 'deleted'))],
  })),
});

const CLASSES_MAX = 100;

const classRpcs = (ports: OperatorRpcPorts) => ({
  createClass: forOperators<'createClass'>(async ({ name, usernames, endTime, isDeletedAtEnd }) => {
    const wanted = { name, usernames, endsAt: endTime ?? new Date(Number.NaN), isDeletedAtEnd };
    const { made, invitations } = await createClass(ports, actingUser(), wanted);
    return {
      class: toClass({ ...made, students: [] }, ports),
      invitations: invitations.map(({ token, ...invitation }) => ({
        ...invitation,
        link: `${ports.publicUrl}${passwordResetPath(token)}`,
      })),
    };
  }),
  listClasses: forOperators<'listClasses'>(async () => {
    const classes = await ports.classes.list(ports.clock.now(), CLASSES_MAX);
    return { classes: classes.map((listed) => toClass(listed, ports)) };
  }),
});

function toClass(listed: ListedClass, { operators }: Pick<OperatorRpcPorts, 'operators'>): authOperator.Class {
  const { id, name, groupId, createdAt, endsAt, isDeletedAtEnd, endedAt, students } = listed;
  return {
    classId: id,
    name,
    groupId,
    createTime: createdAt,
    endTime: endsAt,
    isDeletedAtEnd,
    isEnded: endedAt !== null,
    students: students.map((student) => toListedUser(student, operators.has(student))),
  };
}

const given = (text: string) => (text === '' ? undefined : text.replaceAll('\0', '\ufffd'));

function checkPageSize(pageSize: number): void {
  if (pageSize >= 1 && pageSize <= PAGE_SIZE_MAX) return;
  throw fail('FIELDS_INVALID', { fields: [{ field: 'page_size', message: `must be 1 to ${PAGE_SIZE_MAX}` }] });
}

/** @throws ServiceError FIELDS_INVALID */
function readTrailQuery(request: authOperator.ListOperatorActionsRequest): TrailQuery {
  const { pageSize, beforeActionId, isChangesOnly, operatorName, target, fromTime, toTime } = request;
  checkPageSize(pageSize);
  return {
    pageSize,
    beforeId: beforeActionId,
    isChangesOnly,
    operatorName: given(operatorName),
    target: given(target),
    from: fromTime,
    to: toTime,
  };
}

/** @throws ServiceError FIELDS_INVALID */
function readUserQuery(request: authOperator.ListUsersRequest): UserQuery {
  const { search, userIds, pageSize, pageIndex, state } = request;
  checkPageSize(pageSize);
  if (pageIndex < 1) throw fail('FIELDS_INVALID', { fields: [{ field: 'page_idx', message: 'must be at least 1' }] });
  if (userIds.length > PAGE_SIZE_MAX) {
    throw fail('FIELDS_INVALID', { fields: [{ field: 'user_ids', message: `must be at most ${PAGE_SIZE_MAX}` }] });
  }
  return { search: search.replaceAll('\0', ''), userIds, pageSize, pageIndex, state: nameOf(USER_STATES, state) };
}

function toAction({ id, happenedAt, failure, ...action }: OperatorAction): authOperator.OperatorAction {
  return { ...action, actionId: id, happenTime: happenedAt, failure: failure ?? '' };
}

function toListedUser(user: ListedUser, isOperator: boolean): authOperator.ListedUser {
  const { createdAt: createTime, state, sessionCount, tokenCount, lastLoginAt } = user;
  return {
    user: toUser(user) satisfies auth.User,
    createTime,
    state: USER_STATES[state],
    sessionCount,
    tokenCount,
    isOperator,
    lastLoginTime: lastLoginAt ?? undefined,
  };
}
