import type { jobsOperator } from '@tally/contracts';
import { answer } from '../../answer/answer.js';
import { quotaAction, quotasResponse } from '../../schemas/admin/quotas.js';
import { messageResponse } from '../../schemas/message.js';
import { defineOperatorRoute } from './define-operator-route.js';
import { findGroupNames, findUsernames } from './usernames.js';

type Bounds = Readonly<Record<'processor_seconds_month' | 'stored_bytes' | 'running_tasks', number | null>>;

/** Bounds as jobs takes them. @param subject - whose; none: of whom the request names */
export const fromQuota = (
  { processor_seconds_month, stored_bytes, running_tasks }: Bounds,
  subject: Pick<jobsOperator.SubjectQuota, 'userId' | 'groupId'> = { userId: 0n, groupId: '' },
): jobsOperator.SubjectQuota => ({
  ...subject,
  processorSecondsMonth: processor_seconds_month ?? undefined,
  storedBytes: stored_bytes === null ? undefined : BigInt(Math.round(stored_bytes)),
  runningTasks: running_tasks ?? undefined,
});

/** Bounds as answers show them; undefined: nothing is set. */
export const toQuota = (quota: Partial<jobsOperator.SubjectQuota> | undefined): Bounds => ({
  processor_seconds_month: quota?.processorSecondsMonth ?? null,
  stored_bytes: quota?.storedBytes === undefined ? null : Number(quota.storedBytes),
  running_tasks: quota?.runningTasks ?? null,
});

/** GET /admin/quotas */
export const listQuotas = defineOperatorRoute({
  method: 'GET',
  path: '/admin/quotas',
  action: 'quotas.list',
  summary: 'Quotas of single users and groups',
  responses: { 200: { description: 'Users first', schema: quotasResponse } },
  targetOf: () => '',
  handle: async ({ call }, services) => {
    const { quotas } = await services.jobsOperator.listQuotas({}, call);
    const userIds = quotas.flatMap(({ userId }) => (userId > 0n ? [userId] : []));
    const groupIds = quotas.flatMap(({ groupId }) => (groupId === '' ? [] : [groupId]));
    const users = await findUsernames(services, userIds, call);
    const groups = await findGroupNames(services, groupIds, call);
    return answer({
      message: 'Quotas',
      quotas: quotas.map(({ userId, groupId, ...quota }) => ({
        ...(userId > 0n ? { user_id: Number(userId) } : { group_id: groupId }),
        name: (userId > 0n ? users.get(userId) : groups.get(groupId)) ?? '',
        ...toQuota(quota),
      })),
    });
  },
});

/** PUT /admin/quotas */
export const setQuota = defineOperatorRoute({
  method: 'PUT',
  path: '/admin/quotas',
  action: 'quotas.set',
  summary: 'Set the quota of a user or group',
  description: 'In place of an earlier one; all null: it has none any more. It holds from the next submission on.',
  body: quotaAction,
  responses: { 200: { description: 'It holds', schema: messageResponse } },
  targetOf: ({ body: { user_id, group_id, processor_seconds_month, stored_bytes, running_tasks } }) =>
    `${user_id ?? group_id}: ${JSON.stringify({ processor_seconds_month, stored_bytes, running_tasks })}`,
  handle: async ({ body, call }, services) => {
    const quota = fromQuota(body, { userId: BigInt(body.user_id ?? 0), groupId: body.group_id ?? '' });
    await services.jobsOperator.updateQuota({ quota }, call);
    return answer({ message: 'The quota holds' });
  },
});
