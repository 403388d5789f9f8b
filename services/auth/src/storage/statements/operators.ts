import { type Sql, sql } from '@tally/service-kit';
import type { ListedUser, OperatorAction, TrailQuery, UserQuery } from '../../domain/operator/operator-ports.js';

const all = (conditions: readonly Sql[]): Sql => conditions.reduce((both, one) => sql`${both} AND ${one}`, sql`true`);

/** Escaped for LIKE. */
const partOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Actions with what became of them, the newest first; a condition is part of the text only where it is asked for. */
export function listActions(query: TrailQuery): Sql<OperatorAction> {
  const { beforeId, isChangesOnly, operatorName, target, from, to, pageSize } = query;
  const conditions = [
    sql`a.failed_action_id IS NULL`,
    ...(beforeId === undefined ? [] : [sql`a.id < ${beforeId}`]),
    ...(isChangesOnly ? [sql`a.is_change`] : []),
    ...(operatorName === undefined ? [] : [sql`a.operator_name = ${operatorName}`]),
    ...(target === undefined ? [] : [sql`a.target LIKE ${partOf(target)}`]),
    ...(from === undefined ? [] : [sql`a.happened_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`a.happened_at < ${to}`]),
  ];
  return sql<OperatorAction>`
    SELECT a.id, a.happened_at AS "happenedAt", a.operator_id AS "operatorId", a.operator_name AS "operatorName", a.action,
      a.target, a.reason, a.request_id AS "requestId", a.is_change AS "isChange",
      (SELECT failure FROM operator_actions f WHERE f.failed_action_id = a.id) AS failure
    FROM operator_actions a WHERE ${all(conditions)} ORDER BY a.id DESC LIMIT ${pageSize}`;
}

/** That an action has failed, said once. No row: there is no such action, or it has been said. */
export const addFailure = (actionId: bigint, failure: string): Sql => sql`
  INSERT INTO operator_actions (operator_id, operator_name, action, target, reason, request_id, is_change, failed_action_id, failure)
  SELECT operator_id, operator_name, action, target, reason, request_id, is_change, id, ${failure} FROM operator_actions
  WHERE id = ${actionId} AND failed_action_id IS NULL
  ON CONFLICT (failed_action_id) DO NOTHING`;

const STATE = sql`CASE WHEN u.deleted_at IS NOT NULL THEN 'deleted' WHEN u.blocked_at IS NOT NULL THEN 'blocked' ELSE 'active' END`;

function matching({ search, userIds, state }: Omit<UserQuery, 'pageSize' | 'pageIndex'>): Sql {
  return all([
    ...(search === '' ? [] : [sql`(u.username ILIKE ${partOf(search)} OR u.display_name ILIKE ${partOf(search)})`]),
    ...(userIds.length === 0 ? [] : [sql`u.id = ANY(${[...userIds]}::bigint[])`]),
    ...(state === undefined ? [] : [sql`${STATE} = ${state}`]),
  ]);
}

export const countUsers = (query: UserQuery): Sql<{ readonly userCount: bigint }> => sql<{
  readonly userCount: bigint;
}>`
  SELECT count(*) AS "userCount" FROM users u WHERE ${matching(query)}`;

const LISTED = (now: Date): Sql => sql`
  u.id, u.username, u.provider, u.display_name AS "displayName", u.created_at AS "createdAt", ${STATE} AS state,
    (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id AND s.ended_at IS NULL AND s.refresh_expires_at > ${now}) AS "sessionCount",
    (SELECT count(*)::int FROM api_tokens t WHERE t.user_id = u.id AND t.ended_at IS NULL AND t.expires_at > ${now}) AS "tokenCount",
    greatest((SELECT max(last_login_at) FROM login_addresses l WHERE l.user_id = u.id),
      (SELECT max(s.created_at) FROM sessions s WHERE s.user_id = u.id)) AS "lastLoginAt"`;

/** A page of users with what they have open. */
export const listUsers = (query: UserQuery, now: Date): Sql<ListedUser> => sql<ListedUser>`
  SELECT ${LISTED(now)} FROM users u WHERE ${matching(query)}
  ORDER BY u.username, u.id LIMIT ${query.pageSize} OFFSET ${(query.pageIndex - 1) * query.pageSize}`;

type Student = ListedUser & { readonly classId: string };

/** Students of classes, by their names. */
export const listStudents = (classIds: readonly string[], now: Date): Sql<Student> => sql<Student>`
  SELECT ${LISTED(now)}, u.class_id AS "classId" FROM users u WHERE u.class_id = ANY(${[...classIds]})
  ORDER BY u.username, u.id`;

/** Users that were deleted before a moment, with all that hangs on them. */
export const purgeDeletedUsers = (before: Date, rowsMax: number): Sql => sql`
  DELETE FROM users WHERE id IN (
    SELECT id FROM users WHERE deleted_at < ${before} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;
