import type { jobs } from '@tally/contracts';
import { required, toTimestamp } from '../../mappers.js';
import type { Names } from '../../names.js';

/** Users whom shares name. */
export const userIdsOf = (shares: readonly jobs.Share[]): bigint[] =>
  shares.flatMap(({ subject }) => (subject?.$case === 'userId' ? [subject.value] : []));

/** Groups that shares name. */
export const groupIdsOf = (shares: readonly jobs.Share[]): string[] =>
  shares.flatMap(({ subject }) => (subject?.$case === 'groupId' ? [subject.value] : []));

/** A share as answers show it. */
export function toShare({ shareId, subject, createTime, expireTime }: jobs.Share, names: Names) {
  return {
    share_id: shareId,
    ...toSubject(required(subject, 'subject'), names),
    created_at: toTimestamp(createTime, 'create_time'),
    expires_at: expireTime?.toISOString() ?? null,
  };
}

function toSubject(subject: NonNullable<jobs.Share['subject']>, names: Names) {
  switch (subject.$case) {
    case 'userId':
      return { with: 'user' as const, user: names.person(subject.value) };
    case 'groupId':
      return { with: 'group' as const, group: names.group(subject.value) };
    case 'link':
      return { with: 'link' as const };
  }
}
