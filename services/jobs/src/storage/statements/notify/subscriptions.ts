import { type Sql, sql } from '@tally/service-kit';
import type { JobId, UserId } from '../../../domain/job.js';
import type { Watcher } from '../../../domain/notify/notify-end.js';
import type { Subscription } from '../../../domain/notify/subscription.js';
import type { Sweep } from '../../../domain/notify/sweep.js';
import type { ToldJob } from '../../../domain/notify/told-job.js';
import { SUBSCRIPTION_KEYS } from './is-watched.js';

/** Columns of a job that is told of. */
const TOLD = sql`jobs.job_id AS "jobId", jobs.owner_id AS "ownerId", jobs.title, jobs.state,
  CASE WHEN jobs.state = 'FAILED' THEN jobs.failure END AS failure, jobs.merged_primaries AS "simulatedPrimaries",
  jobs.start_time AS "startTime", jobs.end_time AS "endTime", jobs.closed_at AS "closedAt"`;

/**
 * Keeps a subscription in the place of the one with its key, and locks its job. One row: whether the job is the user's, and whether there
 * was room.
 */
export const putSubscription = (
  userId: UserId,
  key: string,
  { scope, target, hasMail, hasWebhooks }: Subscription,
  perUserMax: number,
): Sql<{ readonly isOwn: boolean; readonly isKept: boolean }> => sql`
  WITH job AS MATERIALIZED (
    SELECT id FROM jobs WHERE ${scope}::text = 'job' AND job_id = ${target} AND owner_id = ${userId} FOR NO KEY UPDATE
  ), allowed AS MATERIALIZED (
    SELECT 1 WHERE ${scope}::text <> 'job' OR EXISTS (SELECT 1 FROM job)
  ), kept AS (
    INSERT INTO subscriptions (user_id, key, scope, target, has_mail, has_webhooks)
    SELECT ${userId}::bigint, ${key}, ${scope}, ${target}, ${hasMail}::boolean, ${hasWebhooks}::boolean FROM allowed
    WHERE ${perUserMax}::int > (SELECT count(*) FROM subscriptions WHERE user_id = ${userId} AND key <> ${key})
    ON CONFLICT (key, user_id) DO UPDATE SET has_mail = excluded.has_mail, has_webhooks = excluded.has_webhooks
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM allowed) AS "isOwn", EXISTS (SELECT 1 FROM kept) AS "isKept"`;

/** Forgets subscriptions to jobs that were deleted. */
export const deleteOrphans = (): Sql => sql`
  DELETE FROM subscriptions WHERE scope = 'job' AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = subscriptions.target)`;

/** A job, its sweep, and who wants to be told of it. */
export const findToldJob = (
  jobId: JobId,
): Sql<
  ToldJob & {
    readonly sweep: Sweep | null;
    readonly groupId: string | null;
    readonly watchers: readonly WatcherJson[] | null;
  }
> => sql`
  SELECT ${TOLD}, jobs.group_id AS "groupId",
    CASE WHEN jobs.sweep_id IS NOT NULL THEN json_build_object('sweepId', jobs.sweep_id, 'size', jobs.sweep_size) END AS sweep,
    (SELECT json_agg(json_build_object('userId', user_id::text, 'scope', scope, 'hasMail', has_mail, 'hasWebhooks', has_webhooks))
      FROM subscriptions WHERE key = ANY(${SUBSCRIPTION_KEYS})) AS watchers
  FROM jobs WHERE job_id = ${jobId}`;

/** As JSON, where numbers that may be large are text. */
export type WatcherJson = Omit<Watcher, 'userId'> & { readonly userId: string };

/** Jobs of a sweep in the order of their submission. */
export const findSweepJobs = (ownerId: UserId, sweepId: string): Sql<ToldJob & { readonly size: number }> => sql`
  SELECT ${TOLD}, jobs.sweep_size AS size FROM jobs
  WHERE owner_id = ${ownerId} AND sweep_id = ${sweepId} AND sweep_id IS NOT NULL ORDER BY id`;
