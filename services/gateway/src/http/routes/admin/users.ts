import { authOperator, nameOf } from '@tally/contracts';
import { answerInvalid } from '../../../errors.js';
import { answer } from '../../answer/answer.js';
import { required, source, toTimestamp } from '../../mappers.js';
import type { RouteServices } from '../../route.js';
import {
  blockAction,
  deleteAction,
  deletedResponse,
  endedResponse,
  resetResponse,
  userAction,
  usersQuery,
  usersResponse,
} from '../../schemas/admin/users.js';
import { defineOperatorRoute, describeQuery } from './define-operator-route.js';
import { findHeir, handOver } from './hand-over.js';

const USER_STATES = {
  active: authOperator.UserState.USER_STATE_ACTIVE,
  blocked: authOperator.UserState.USER_STATE_BLOCKED,
  deleted: authOperator.UserState.USER_STATE_DELETED,
} as const;

/** GET /admin/users */
export const listUsers = defineOperatorRoute({
  method: 'GET',
  path: '/admin/users',
  action: 'users.list',
  summary: 'Users',
  query: usersQuery,
  responses: { 200: { description: 'A page, by their names', schema: usersResponse } },
  targetOf: ({ query }) => describeQuery(query),
  handle: async ({ query, call }, services) => {
    const { search, user_id, state, page_size: pageSize, page_idx: pageIndex } = query;
    const asked = {
      search,
      userIds: user_id === undefined ? [] : [BigInt(user_id)],
      state: state === undefined ? authOperator.UserState.USER_STATE_UNSPECIFIED : USER_STATES[state],
      pageSize,
      pageIndex,
    };
    const { users, userCount } = await services.authOperator.listUsers(asked, call);
    return answer({
      message: 'Users',
      page_count: Math.ceil(Number(userCount) / pageSize),
      user_count: Number(userCount),
      users: users.map(toListedUser),
    });
  },
});

/** @throws ServiceError ANSWER_INVALID */
export function userStateName(value: authOperator.UserState): keyof typeof USER_STATES {
  const name = nameOf(USER_STATES, value);
  if (name === undefined) throw answerInvalid(`unknown state of a user ${value}`);
  return name;
}

function toListedUser(listed: authOperator.ListedUser) {
  const user = required(listed.user, 'user');
  const state = userStateName(listed.state);
  return {
    user_id: Number(user.userId),
    username: user.username,
    source: source.toName(user.provider),
    display_name: user.displayName,
    state,
    operator: listed.isOperator,
    created_at: toTimestamp(listed.createTime, 'create_time'),
    last_login_at: listed.lastLoginTime?.toISOString() ?? null,
    sessions: listed.sessionCount,
    tokens: listed.tokenCount,
  };
}

/** Refuses tokens of what has ended at once here; other copies learn it from auth within seconds. */
export function endedAnswer(message: string, endedIds: readonly string[], { ended }: RouteServices) {
  for (const id of endedIds) ended.add(id);
  return answer({ message, ended: endedIds.length });
}

const NOT_FOUND = { 404: { description: 'No such user' } };

/** POST /admin/users/block */
export const blockUser = defineOperatorRoute({
  method: 'POST',
  path: '/admin/users/block',
  action: 'users.block',
  summary: 'Block a user, or take the block away',
  description:
    'Sessions and API tokens of a blocked user end within 5 s; jobs go on. Operators of AUTH_OPERATORS cannot be blocked.',
  body: blockAction,
  responses: { 200: { description: 'What has ended', schema: endedResponse }, ...NOT_FOUND },
  targetOf: ({ body: { user_id, blocked } }) => `user=${user_id} blocked=${blocked}`,
  handle: async ({ body, call }, services) => {
    const asked = { userId: BigInt(body.user_id), isBlocked: body.blocked };
    const { endedIds } = await services.authOperator.updateUserBlock(asked, call);
    return endedAnswer(body.blocked ? 'User blocked' : 'User may log in', endedIds, services);
  },
});

/** POST /admin/users/end-sessions */
export const endUserSessions = defineOperatorRoute({
  method: 'POST',
  path: '/admin/users/end-sessions',
  action: 'users.end_sessions',
  summary: 'End all sessions and API tokens of a user',
  body: userAction,
  responses: { 200: { description: 'What has ended', schema: endedResponse }, ...NOT_FOUND },
  targetOf: ({ body }) => `user=${body.user_id}`,
  handle: async ({ body, call }, services) => {
    const { endedIds } = await services.authOperator.deleteUserSessions({ userId: BigInt(body.user_id) }, call);
    return endedAnswer('Sessions and tokens ended', endedIds, services);
  },
});

/** POST /admin/users/reset */
export const resetUserPassword = defineOperatorRoute({
  method: 'POST',
  path: '/admin/users/reset',
  action: 'users.reset_password',
  summary: 'Make a link by which a user sets a new password',
  description:
    'Hand it to nobody but the user. It works once, within an hour, and replaces an earlier one; until then nothing changes.',
  body: userAction,
  responses: {
    200: { description: 'The link, shown this once', schema: resetResponse },
    ...NOT_FOUND,
    400: { description: 'The password is kept by the realm' },
  },
  targetOf: ({ body }) => `user=${body.user_id}`,
  handle: async ({ body, call }, services) => {
    const { link, expiresAt } = await services.authOperator.createPasswordReset({ userId: BigInt(body.user_id) }, call);
    return answer({ message: 'Link made', link, expires_at: toTimestamp(expiresAt, 'expires_at') });
  },
});

/** POST /admin/users/delete */
export const deleteUser = defineOperatorRoute({
  method: 'POST',
  path: '/admin/users/delete',
  action: 'users.delete',
  summary: 'Delete a user with all that is his, or give it to another',
  description:
    'Sessions, tokens and links end at once; jobs, results, logs, projects and shares go within minutes, and his name is free after a ' +
    'day. With `new_owner_id` jobs with results and logs, and projects, are given to another user instead, with shares to users and groups; ' +
    'jobs that are open on clusters are cancelled, and what was used so far stays in the usage of the deleted one. ' +
    'Safe to repeat. Operators of AUTH_OPERATORS cannot be deleted.',
  body: deleteAction,
  responses: { 200: { description: 'What goes, or is given', schema: deletedResponse }, ...NOT_FOUND },
  targetOf: ({ body: { user_id, new_owner_id } }) =>
    new_owner_id === undefined ? `user=${user_id}` : `user=${user_id} new_owner=${new_owner_id}`,
  handle: async ({ body, call }, services) => {
    const userId = BigInt(body.user_id);
    const newOwnerId = body.new_owner_id === undefined ? undefined : BigInt(body.new_owner_id);
    const heir = newOwnerId === undefined ? undefined : await findHeir(services, userId, newOwnerId, call);
    const { endedIds } = await services.authOperator.deleteUser({ userId }, call);
    for (const id of endedIds) services.ended.add(id);
    if (heir !== undefined) return handOver(services, { ...heir, userId, ended: endedIds.length }, call);
    const asked = { ownerId: userId, dueTime: undefined, isKept: false };
    const { jobCount, projectCount } = await services.jobsOperator.deleteOwner(asked, call);
    return answer({ message: 'User deleted', ended: endedIds.length, jobs: jobCount, projects: projectCount });
  },
});
