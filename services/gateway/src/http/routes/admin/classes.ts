import type { authOperator, jobsOperator } from '@tally/contracts';
import { type CallOptions, writeZip } from '@tally/service-kit';
import { answer } from '../../answer/answer.js';
import { required, toTimestamp } from '../../mappers.js';
import type { RouteServices } from '../../route.js';
import {
  classArchive,
  classEndAction,
  classEndedResponse,
  classExportQuery,
  classesResponse,
  classMadeResponse,
  classQuotaAction,
  classRequest,
  invitationAction,
  invitationsResponse,
} from '../../schemas/admin/classes.js';
import { messageResponse } from '../../schemas/message.js';
import { classFiles, fileName } from './class-archive.js';
import { defineOperatorRoute } from './define-operator-route.js';
import { fromQuota, toQuota } from './quotas.js';
import { userStateName } from './users.js';

const toClass = (given: authOperator.Class) => ({
  class_id: given.classId,
  name: given.name,
  teacher: given.teacherName,
  group_id: given.groupId,
  created_at: toTimestamp(given.createTime, 'create_time'),
  ends_at: toTimestamp(given.endTime, 'end_time'),
  at_end: given.isDeletedAtEnd ? ('delete' as const) : ('block' as const),
  ended: given.isEnded,
});

const toInvitation = ({ userId, username, link, expiresAt }: authOperator.Invitation) => ({
  user_id: Number(userId),
  username,
  link,
  expires_at: toTimestamp(expiresAt, 'expires_at'),
});

const studentIds = ({ students }: authOperator.Class) => students.map(({ user }) => required(user, 'user').userId);

/** A class that the acting user may see. @throws ServiceError CLASS_NOT_FOUND */
async function findClass(
  { authOperator: operator }: Pick<RouteServices, 'authOperator'>,
  classId: string,
  call: CallOptions,
): Promise<authOperator.Class> {
  const { classes } = await operator.listClasses({ classId }, call);
  return required(classes[0], 'classes');
}

const NOTHING: Omit<jobsOperator.UpdateStudentsRequest, 'ownerIds'> = {
  quota: undefined,
  removal: undefined,
  groupId: '',
  projectIds: [],
};
const NOT_FOUND = { 404: { description: "No such class, or another teacher's" } };

/**
 * POST /admin/classes. First its numbers are drawn; then jobs is told, once for all students, what holds for them; last auth makes everything
 * that can be seen, in one transaction. Whatever dies between leaves no class, and a repeat makes it whole.
 */
export const createClass = defineOperatorRoute({
  method: 'POST',
  path: '/admin/classes',
  auth: 'teacher',
  action: 'classes.create',
  summary: 'Make the accounts of a class',
  description:
    'One local account for each name, with a link by which the student sets a password, and a group of all. On its last day the accounts ' +
    'are blocked, or deleted with all that is theirs. All or nothing.',
  body: classRequest,
  responses: {
    200: { description: 'The links, shown this once', schema: classMadeResponse },
    404: { description: 'A template is not there' },
    409: { description: 'Names are taken; `errors` has them, and nothing was made' },
    429: { description: 'A template has as many shares as it may have' },
  },
  targetOf: ({ body }) =>
    `${body.name}: ${body.usernames.length} students until ${body.ends_at.toISOString()}, then ${body.at_end}`,
  handle: async ({ body, session, call }, { authOperator: auth, jobsOperator: jobs }) => {
    const { name, usernames, ends_at: endTime, at_end, quota, templates } = body;
    const wanted = { name, usernames, endTime, isDeletedAtEnd: at_end === 'delete' };
    const prepared = await auth.prepareClass(wanted, call);
    const removal = wanted.isDeletedAtEnd ? { dueTime: endTime, isKept: false } : undefined;
    if (removal !== undefined || quota !== undefined || templates.length > 0) {
      const change = { quota: quota && fromQuota(quota), removal, groupId: prepared.groupId, projectIds: templates };
      await jobs.updateStudents({ ...NOTHING, ...change, ownerIds: prepared.userIds }, call);
    }
    const made = await auth.createClass({ ...wanted, ...prepared }, call);
    const teacher = session.username;
    return answer({
      message: 'Class made',
      class: { ...toClass(required(made.class, 'class')), teacher },
      invitations: made.invitations.map(toInvitation),
    });
  },
});

/** GET /admin/classes */
export const listClasses = defineOperatorRoute({
  method: 'GET',
  path: '/admin/classes',
  auth: 'teacher',
  action: 'classes.list',
  summary: 'Classes, who has joined, and what the students have',
  responses: {
    200: { description: 'The newest first, at most 100; of a teacher his own', schema: classesResponse },
  },
  targetOf: () => '',
  handle: async ({ call }, services) => {
    const { classes } = await services.authOperator.listClasses({ classId: '' }, call);
    const asked = { ownerIds: classes.flatMap(studentIds), groupIds: classes.map(({ groupId }) => groupId) };
    const { students, templates } = await services.jobsOperator.listStudents(asked, call);
    const work = new Map(students.map((student) => [student.ownerId, student]));
    return answer({
      message: 'Classes',
      classes: classes.map((one) => ({
        ...toClass(one),
        templates: templates
          .filter(({ groupId }) => groupId === one.groupId)
          .map(({ projectId, title, shareId }) => ({ project_id: projectId, title, share_id: shareId })),
        students: one.students.map((student) => toStudent(student, work)),
      })),
    });
  },
});

function toStudent(
  { user: given, state, lastLoginTime }: authOperator.ListedUser,
  work: ReadonlyMap<bigint, jobsOperator.Student>,
) {
  const user = required(given, 'user');
  const { jobCount = 0, projectCount = 0, quota } = work.get(user.userId) ?? {};
  return {
    user_id: Number(user.userId),
    username: user.username,
    state: userStateName(state),
    last_login_at: lastLoginTime?.toISOString() ?? null,
    jobs: jobCount,
    projects: projectCount,
    quota: toQuota(quota),
  };
}

/** PUT /admin/classes/quota */
export const setClassQuota = defineOperatorRoute({
  method: 'PUT',
  path: '/admin/classes/quota',
  auth: 'teacher',
  action: 'classes.set_quota',
  summary: 'Set the quota of each student of a class',
  description: 'In place of an earlier one; all null: as the settings say. It holds from the next submission on.',
  body: classQuotaAction,
  responses: { 200: { description: 'It holds', schema: messageResponse }, ...NOT_FOUND },
  targetOf: ({ body: { class_id, processor_seconds_month, stored_bytes, running_tasks } }) =>
    `class=${class_id} ${JSON.stringify({ processor_seconds_month, stored_bytes, running_tasks })}`,
  handle: async ({ body, call }, services) => {
    const ownerIds = studentIds(await findClass(services, body.class_id, call));
    const change = { ...NOTHING, quota: fromQuota(body) };
    if (ownerIds.length > 0) await services.jobsOperator.updateStudents({ ...change, ownerIds }, call);
    return answer({ message: 'The quota holds' });
  },
});

/** POST /admin/classes/invitations */
export const createInvitations = defineOperatorRoute({
  method: 'POST',
  path: '/admin/classes/invitations',
  auth: 'teacher',
  action: 'classes.invite',
  summary: 'Make new links for students of a class',
  description:
    'For one student, or for all who have not joined. A link works once, for at most two weeks, and replaces an earlier one.',
  body: invitationAction,
  responses: {
    200: { description: 'The links, shown this once', schema: invitationsResponse },
    400: { description: 'The class has ended' },
    404: { description: "No such class, or another teacher's, or no such student in it" },
  },
  targetOf: ({ body: { class_id, user_id } }) =>
    user_id === undefined ? `class=${class_id}` : `user=${user_id} class=${class_id}`,
  handle: async ({ body: { class_id: classId, user_id }, call }, services) => {
    const asked = { classId, userId: user_id === undefined ? undefined : BigInt(user_id) };
    const { invitations } = await services.authOperator.createInvitations(asked, call);
    return answer({ message: 'Links made', invitations: invitations.map(toInvitation) });
  },
});

/** POST /admin/classes/end. jobs is told first: what dies between leaves a class that is seen not to have ended, and a repeat ends it. */
export const endClass = defineOperatorRoute({
  method: 'POST',
  path: '/admin/classes/end',
  auth: 'teacher',
  action: 'classes.end',
  summary: 'End a class before its day, or delete one that has ended',
  description:
    'Nobody of the class can log in any more; sessions end within 5 s. With `delete` jobs, results, logs, projects and the group go within ' +
    'minutes. Safe to repeat.',
  body: classEndAction,
  responses: { 200: { description: 'The class as it is now', schema: classEndedResponse }, ...NOT_FOUND },
  targetOf: ({ body: { class_id, accounts } }) => `class=${class_id} accounts=${accounts}`,
  handle: async ({ body: { class_id: classId, accounts }, call }, services) => {
    const found = await findClass(services, classId, call);
    const ownerIds = studentIds(found);
    const isDeleted = accounts === 'delete' || (found.isEnded && found.isDeletedAtEnd);
    const removal = { dueTime: undefined, isKept: !isDeleted };
    if (ownerIds.length > 0) await services.jobsOperator.updateStudents({ ...NOTHING, ownerIds, removal }, call);
    const { class: ended, endedIds } = await services.authOperator.endClass({ classId, isDeleted }, call);
    for (const id of endedIds) services.ended.add(id);
    return answer({ message: 'Class ended', class: toClass(required(ended, 'class')), ended: endedIds.length });
  },
});

/** GET /admin/classes/export */
export const exportClass = defineOperatorRoute({
  method: 'GET',
  path: '/admin/classes/export',
  auth: 'teacher',
  action: 'classes.export',
  summary: 'All work of a class as an archive',
  description: `A zip with a folder for each student, also for who has no work: \`contents.csv\`, each job that has ended as an RO-Crate as
GET /jobs/crate gives it, and each kept project as it is now. It is made as it is sent. Logs and earlier revisions of projects are not in it.`,
  requestClass: 'stream',
  query: classExportQuery,
  responses: {
    200: { description: 'The archive', schema: classArchive, contentType: 'application/zip' },
    ...NOT_FOUND,
  },
  targetOf: ({ query: { class_id } }) => `class=${class_id}`,
  handle: async ({ query: { class_id, format }, session, call }, services) => {
    const found = await findClass(services, class_id, call);
    const files = classFiles(services, { class: found, format, agent: session.username }, call);
    return {
      kind: 'stream',
      status: 200,
      file: { contentType: 'application/zip', name: `${fileName(found.name)}.zip`, isCompressible: false },
      text: writeZip(files),
    };
  },
});
