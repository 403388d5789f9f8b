import { type Sql, sql } from '@tally/service-kit';
import type { UserId } from '../../../domain/job.js';
import type { Belongings } from '../../../domain/operate/operator-ports.js';

/** Notes that users leave. */
export const addLeaving = (ownerIds: readonly UserId[], dueAt: Date | undefined): Sql => sql`
  INSERT INTO leaving_owners (owner_id, due_at)
  SELECT id, coalesce(${dueAt ?? null}::timestamptz, now()) FROM unnest(${[...ownerIds]}::bigint[]) owner (id)
  ON CONFLICT (owner_id) DO UPDATE SET due_at = EXCLUDED.due_at`;

export const belongingsOf = (ownerId: UserId): Sql<Belongings> => sql<Belongings>`
  SELECT (SELECT count(*)::int FROM jobs WHERE owner_id = ${ownerId}) AS "jobCount",
    (SELECT count(*)::int FROM projects WHERE owner_id = ${ownerId}) AS "projectCount"`;

/** Users who are due, the longest one first. */
export const listDueOwners = (limit: number): Sql<{ readonly ownerId: UserId }> => sql<{ readonly ownerId: UserId }>`
  SELECT owner_id AS "ownerId" FROM leaving_owners WHERE due_at <= now() ORDER BY due_at LIMIT ${limit}`;

/** All of a user that hangs on no job; he is forgotten an hour after he was due, when there is no job of his. */
export const removeRest = (ownerId: UserId): readonly Sql[] => [
  sql`DELETE FROM projects WHERE owner_id = ${ownerId}`,
  sql`DELETE FROM saved_searches WHERE owner_id = ${ownerId}`,
  sql`DELETE FROM idempotency_keys WHERE owner_id = ${ownerId}`,
  sql`DELETE FROM shares WHERE subject = 'user:' || ${ownerId}::bigint`,
  sql`DELETE FROM quotas WHERE kind = 'user' AND subject_id = ${String(ownerId)}`,
  sql`DELETE FROM leaving_owners WHERE owner_id = ${ownerId} AND due_at < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE owner_id = ${ownerId})`,
];
