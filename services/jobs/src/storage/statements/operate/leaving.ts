import { type Sql, sql } from '@tally/service-kit';
import type { UserId } from '../../../domain/job.js';
import type { Belongings, Leaving, OwnedTotals } from '../../../domain/operate/operator-ports.js';
import { usageOf } from '../usage.js';

/** Notes that users leave. What is given to another user is not removed by this. */
export const addLeaving = (ownerIds: readonly UserId[], dueAt: Date | undefined): Sql => sql`
  INSERT INTO leaving_owners (owner_id, due_at)
  SELECT id, coalesce(${dueAt ?? null}::timestamptz, now()) FROM unnest(${[...ownerIds]}::bigint[]) owner (id)
  WHERE NOT EXISTS (SELECT 1 FROM handed_owners WHERE owner_id = id)
  ON CONFLICT (owner_id) DO UPDATE SET due_at = EXCLUDED.due_at`;

/** Notes that all that a user has is given to another, from now on. */
export const addHandOver = (ownerId: UserId, newOwnerId: UserId): readonly Sql[] => [
  sql`DELETE FROM leaving_owners WHERE owner_id = ${ownerId}`,
  sql`INSERT INTO handed_owners (owner_id, new_owner_id) VALUES (${ownerId}, ${newOwnerId})
    ON CONFLICT (owner_id) DO UPDATE SET due_at = now(), new_owner_id = EXCLUDED.new_owner_id`,
];

/** They do not leave after all. */
export const deleteLeaving = (ownerIds: readonly UserId[]): readonly Sql[] =>
  [sql`leaving_owners`, sql`handed_owners`].map(
    (table) => sql`DELETE FROM ${table} WHERE owner_id = ANY(${[...ownerIds]}::bigint[])`,
  );

export const belongingsOf = (ownerId: UserId): Sql<Belongings> => sql<Belongings>`
  SELECT (SELECT count(*)::int FROM jobs WHERE owner_id = ${ownerId}) AS "jobCount",
    (SELECT count(*)::int FROM projects WHERE owner_id = ${ownerId}) AS "projectCount"`;

/** What two users have together. */
export const totalsOf = (ownerId: UserId, otherId: UserId): Sql<OwnedTotals> => {
  const owners = sql`VALUES (${ownerId}::bigint), (${otherId}::bigint)`;
  return sql<OwnedTotals>`
    SELECT usage.*, "projectCount", "storedBytes"
    FROM (${usageOf(owners)}) usage CROSS JOIN (
      SELECT count(*)::int AS "projectCount", coalesce(sum(stored_bytes), 0)::float8 AS "storedBytes"
      FROM projects WHERE owner_id IN (${owners})) projects`;
};

/** Users who are due, the longest one first. */
export const listDueOwners = (limit: number): Sql<Leaving> => sql<Leaving>`
  SELECT owner_id AS "ownerId", new_owner_id AS "newOwnerId" FROM (
    SELECT owner_id, NULL::bigint AS new_owner_id, due_at FROM leaving_owners WHERE due_at <= now()
    UNION ALL SELECT owner_id, new_owner_id, due_at FROM handed_owners) due
  ORDER BY due_at LIMIT ${limit}`;

/** Those of the jobs that are still the user's, until the end of the transaction. */
export const lockOwned = (ownerId: UserId, jobIds: readonly string[]): Sql<{ readonly jobKey: bigint }> => sql<{
  readonly jobKey: bigint;
}>`
  SELECT id AS "jobKey" FROM jobs WHERE job_id = ANY(${[...jobIds]}::text[]) AND owner_id = ${ownerId} ORDER BY id FOR NO KEY UPDATE`;

/** Gives jobs to a user, with their turns in the queue. Links to them end; shares with users and groups stay. */
export const giveJobs = (jobKeys: readonly bigint[], newOwnerId: UserId): readonly Sql[] => {
  const keys = sql`ANY(${[...jobKeys]}::bigint[])`;
  return [
    sql`UPDATE jobs SET owner_id = ${newOwnerId}, released_at = now() WHERE id = ${keys}`,
    sql`UPDATE outbox SET owner_id = ${newOwnerId} WHERE job_key = ${keys}`,
    sql`UPDATE parked_messages SET owner_id = ${newOwnerId} WHERE job_key = ${keys}`,
    sql`DELETE FROM shares WHERE job_key = ${keys} AND ${isOver(newOwnerId)}`,
  ];
};

/** Shares that end when a thing is given to a user: links, which nobody knows who has, and the one with himself. */
const isOver = (newOwnerId: UserId): Sql => sql`(subject LIKE 'link:%' OR subject = 'user:' || ${newOwnerId}::bigint)`;

/** Gives all projects of a user to another. */
export const giveProjects = (ownerId: UserId, newOwnerId: UserId): readonly Sql[] => [
  sql`DELETE FROM shares WHERE project_key IN (SELECT id FROM projects WHERE owner_id = ${ownerId}) AND ${isOver(newOwnerId)}`,
  sql`UPDATE projects SET owner_id = ${newOwnerId} WHERE owner_id = ${ownerId}`,
];

/** All projects of a user. */
export const removeProjects = (ownerId: UserId): Sql => sql`DELETE FROM projects WHERE owner_id = ${ownerId}`;

/** What is of use to the user alone; he is forgotten an hour after he was due, when there is no job of his. */
export const removeRest = (ownerId: UserId): readonly Sql[] => [
  sql`DELETE FROM saved_searches WHERE owner_id = ${ownerId}`,
  sql`DELETE FROM idempotency_keys WHERE owner_id = ${ownerId}`,
  sql`DELETE FROM subscriptions WHERE user_id = ${ownerId}`,
  sql`DELETE FROM webhooks WHERE user_id = ${ownerId}`,
  sql`DELETE FROM quotas WHERE kind = 'user' AND subject_id = ${ownerId}::bigint::text`,
  sql`DELETE FROM shares WHERE subject = 'user:' || ${ownerId}::bigint`,
  ...[sql`leaving_owners`, sql`handed_owners`].map(
    (table) => sql`DELETE FROM ${table} WHERE owner_id = ${ownerId} AND due_at < now() - interval '1 hour'
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE owner_id = ${ownerId})`,
  ),
];
