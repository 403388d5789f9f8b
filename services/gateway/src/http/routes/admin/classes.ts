import type { authOperator } from '@tally/contracts';
import { answer } from '../../answer/answer.js';
import { required, toTimestamp } from '../../mappers.js';
import { classesResponse, classMadeResponse, classRequest } from '../../schemas/admin/classes.js';
import { defineOperatorRoute } from './define-operator-route.js';
import { userStateName } from './users.js';

function toClass(given: authOperator.Class) {
  return {
    class_id: given.classId,
    name: given.name,
    group_id: given.groupId,
    created_at: toTimestamp(given.createTime, 'create_time'),
    ends_at: toTimestamp(given.endTime, 'end_time'),
    at_end: given.isDeletedAtEnd ? ('delete' as const) : ('block' as const),
    ended: given.isEnded,
  };
}

/** POST /admin/classes */
export const createClass = defineOperatorRoute({
  method: 'POST',
  path: '/admin/classes',
  action: 'classes.create',
  summary: 'Make the accounts of a class',
  description:
    'One local account for each name, with a link by which the student sets a password, and a group of all. On its last day the accounts ' +
    'are blocked, or deleted with all that is theirs. All or nothing.',
  body: classRequest,
  responses: {
    200: { description: 'The links, shown this once', schema: classMadeResponse },
    409: { description: 'Names are taken; `errors` has them, and nothing was made' },
  },
  targetOf: ({ body }) =>
    `${body.name}: ${body.usernames.length} students until ${body.ends_at.toISOString()}, then ${body.at_end}`,
  handle: async ({ body, call }, services) => {
    const { name, usernames, ends_at: endTime, at_end } = body;
    const isDeletedAtEnd = at_end === 'delete';
    const made = await services.authOperator.createClass({ name, usernames, endTime, isDeletedAtEnd }, call);
    if (isDeletedAtEnd) {
      for (const { userId: ownerId } of made.invitations) {
        await services.jobsOperator.deleteOwner({ ownerId, dueTime: endTime, isKept: false }, call);
      }
    }
    return answer({
      message: 'Class made',
      class: toClass(required(made.class, 'class')),
      invitations: made.invitations.map(({ userId, username, link, expiresAt }) => ({
        user_id: Number(userId),
        username,
        link,
        expires_at: toTimestamp(expiresAt, 'expires_at'),
      })),
    });
  },
});

/** GET /admin/classes */
export const listClasses = defineOperatorRoute({
  method: 'GET',
  path: '/admin/classes',
  action: 'classes.list',
  summary: 'Classes and who has joined',
  responses: { 200: { description: 'The newest first, at most 100', schema: classesResponse } },
  targetOf: () => '',
  handle: async ({ call }, services) => {
    const { classes } = await services.authOperator.listClasses({}, call);
    return answer({
      message: 'Classes',
      classes: classes.map((one) => ({
        ...toClass(one),
        students: one.students.map((student) => ({
          user_id: Number(required(student.user, 'user').userId),
          username: required(student.user, 'user').username,
          state: userStateName(student.state),
          last_login_at: student.lastLoginTime?.toISOString() ?? null,
        })),
      })),
    });
  },
});
