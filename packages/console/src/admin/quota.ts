import { queryOptions } from '@tanstack/react-query';
import { call, type Output } from '../api/client.js';
import { byteWords } from '../byte-words.js';
import { ADMIN_TEXTS } from '../texts/admin.js';
import { hoursOf, type QuotaBounds, toBounds, toFields } from './quota-fields.js';
import type { Act } from './reason-modal.js';

const T = ADMIN_TEXTS.quota;

/** What is set for a user. */
export type Quota = Output<'GET', '/admin/quotas'>['quotas'][number];

export const quotasQuery = queryOptions({
  queryKey: ['admin', 'quotas'],
  queryFn: () => call('GET', '/admin/quotas'),
  staleTime: Number.POSITIVE_INFINITY,
});

export const quotaOf = (quotas: readonly Quota[], userId: number): Quota | undefined =>
  quotas.find(({ user_id }) => user_id === userId);

/** The bounds that are set, in words. */
export function quotaWords(quota: QuotaBounds | undefined): string {
  const {
    processor_seconds_month: seconds = null,
    stored_bytes: bytes = null,
    running_tasks: tasks = null,
  } = quota ?? {};
  const words = [
    ...(seconds === null ? [] : [T.ofTime(hoursOf(seconds) ?? 0)]),
    ...(bytes === null ? [] : [T.ofBytes(bytes === 0 ? undefined : byteWords(bytes))]),
    ...(tasks === null ? [] : [T.ofTasks(tasks)]),
  ];
  return words.length === 0 ? T.usual : words.join(', ');
}

/** Changes the quota of one user. */
export const changeQuota = (user_id: number, username: string, quota: QuotaBounds | undefined): Act => ({
  title: T.change,
  target: username,
  quota: toFields(quota),
  run: (reason, _, fields) => call('PUT', '/admin/quotas', { body: { user_id, ...toBounds(fields), reason } }),
});
