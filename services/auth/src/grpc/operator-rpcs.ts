import { type auth, authOperator, nameOf } from '@tally/contracts';
import { actingInRole, currentContext, type Implementation, implement, type Routes } from '@tally/service-kit';
import type { ClassScope, ListedClass, WantedClass } from '../domain/class/class.js';
import { type CreateClassPorts, createClass, prepareClass } from '../domain/class/create-class.js';
import { createInvitations, type Invitation } from '../domain/class/create-invitations.js';
import { endClass } from '../domain/class/end-class.js';
import { fail } from '../domain/errors.js';
import type { GroupId } from '../domain/group/group.js';
import { passwordResetPath } from '../domain/link/one-time-link.js';
import { type Acting, createOperatorAction } from '../domain/operator/create-operator-action.js';
import type { ListedUser, OperatorAction, TrailQuery, UserQuery } from '../domain/operator/operator-ports.js';
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
    actingInRole('operator');
    return (handle as (request: never) => unknown)(request);
  };
  return { callers, handle: checked } as unknown as Routes<Service>[M];
}

/** A row that is for teachers, too: what it may touch are the acting teacher's own classes, or all of an operator's. */
function forTeachers<M extends Method>(
  handle: (request: Parameters<Routes<Service>[M]['handle']>[0], scope: ClassScope, acting: Acting) => unknown,
): Routes<Service>[M] {
  const checked = (request: Parameters<Routes<Service>[M]['handle']>[0]) => {
    const { userId, role } = actingInRole('operator', 'teacher');
    const acting = { userId, role, requestId: currentContext()?.requestId ?? '' };
    return handle(request, { teacherId: role === 'operator' ? undefined : userId }, acting);
  };
  return { callers, handle: checked } as unknown as Routes<Service>[M];
}

const trailRpcs = (ports: OperatorRpcPorts) => ({
  createOperatorAction: forTeachers<'createOperatorAction'>(async (wanted, _, acting) => ({
    actionId: await createOperatorAction(ports, acting, wanted),
  })),
  reportOperatorAction: forTeachers<'reportOperatorAction'>(async ({ actionId, failure }) => {
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
    return { userCount, users: users.map((user) => toListedUser(user, ports.roles.operators.has(user))) };
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

/** PostgreSQL has no character 0. */
const readClassId = (text: string) => text.replaceAll('\0', '');

const classRpcs = (ports: OperatorRpcPorts) => ({
  prepareClass: forTeachers<'prepareClass'>(async (request) => {
    const { userIds, ...ids } = await prepareClass(ports, readWanted(request));
    return { ...ids, userIds: [...userIds] };
  }),
  createClass: forTeachers<'createClass'>(async (request, _, { userId }) => {
    const { classId, groupId, userIds } = request;
    const prepared = { classId, groupId: groupId as GroupId, userIds };
    const { made, invitations } = await createClass(ports, userId, prepared, readWanted(request));
    return {
      class: toClass({ ...made, teacherName: '', students: [] }, ports),
      invitations: invitations.map((invitation) => toInvitation(invitation, ports)),
    };
  }),
  listClasses: forTeachers<'listClasses'>(async ({ classId }, scope) => {
    const wanted = classId === '' ? undefined : readClassId(classId);
    const classes = await ports.classes.list(scope, wanted, ports.clock.now(), CLASSES_MAX);
    if (wanted !== undefined && classes.length === 0) throw fail('CLASS_NOT_FOUND');
    return { classes: classes.map((listed) => toClass(listed, ports)) };
  }),
  createInvitations: forTeachers<'createInvitations'>(async ({ classId, userId }, scope) => {
    const invitations = await createInvitations(ports, scope, readClassId(classId), userId);
    return { invitations: invitations.map((invitation) => toInvitation(invitation, ports)) };
  }),
  endClass: forTeachers<'endClass'>(async ({ classId, isDeleted }, scope) => {
    const { ended, endedIds } = await endClass(ports, scope, readClassId(classId), isDeleted);
    return { class: toClass(ended, ports), endedIds: [...endedIds] };
  }),
});

function readWanted(request: authOperator.PrepareClassRequest): WantedClass {
  const { name, usernames, endTime, isDeletedAtEnd } = request;
  return { name, usernames, endsAt: endTime ?? new Date(Number.NaN), isDeletedAtEnd };
}

const toInvitation = ({ token, ...invitation }: Invitation, { publicUrl }: Pick<OperatorRpcPorts, 'publicUrl'>) => ({
  ...invitation,
  link: `${publicUrl}${passwordResetPath(token)}`,
});

function toClass(listed: ListedClass, { roles }: Pick<OperatorRpcPorts, 'roles'>): authOperator.Class {
  const { id, name, groupId, teacherName, createdAt, endsAt, isDeletedAtEnd, endedAt, students } = listed;
  return {
    classId: id,
    name,
    groupId,
    teacherName,
    createTime: createdAt,
    endTime: endsAt,
    isDeletedAtEnd,
    isEnded: endedAt !== null,
    students: students.map((student) => toListedUser(student, roles.operators.has(student))),
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
