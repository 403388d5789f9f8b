import { type Sql, sql } from '@tally/service-kit';
import type { Room, Usage } from '../../domain/submit/quotas.js';
import { cpuQuotasOf } from './accounting/usage.js';

/** Of one user's jobs only one is stored or extended at a time: the quotas are exact. @param owners - query of users */
export const lockQuotas = (owners: Sql): Sql =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('quota ' || owner_id, 0)) FROM (${owners}) owners (owner_id)`;

/**
 * What a user has. His tasks are read (index tasks_open) only where their number, or their primaries, might not have room: else both
 * are the most that his jobs may have, by the jobs alone, since a submission cannot read tens of thousands of tasks.
 * @param owners - query of one user
 * @param room - undefined: none
 * @param groups - query of the group of the job in question
 */
export const usageOf = (
  owners: Sql,
  room: Room = { openTaskCount: -1, queuedPrimaries: -1 },
  groups: Sql = sql`SELECT NULL::text`,
): Sql<Usage> => sql<Usage>`
  WITH open AS MATERIALIZED (
    SELECT id, task_count, CASE WHEN extensions IS NULL THEN primaries_max END AS primaries FROM jobs
    WHERE owner_id IN (${owners}) AND state IN ('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING')
  ), most AS (
    SELECT count(*)::int AS job_count, coalesce(sum(task_count), 0)::float8 AS task_count,
      coalesce(sum(primaries), 0)::float8 AS primaries, count(*) > count(primaries) AS is_unknown
    FROM open
  )
  SELECT job_count AS "openJobCount", coalesce(of_tasks.task_count, most.task_count)::int AS "openTaskCount",
    coalesce(of_tasks.primaries, most.primaries)::float8 AS "queuedPrimaries",
    (SELECT json_object_agg(platform, message) FROM submission_pauses) AS pauses, ${cpuQuotasOf(owners, groups)} AS "cpuQuotas"
  FROM most CROSS JOIN LATERAL (
    SELECT sum(of_job.task_count) AS task_count, sum(of_job.primaries) AS primaries
    FROM open CROSS JOIN LATERAL (
      SELECT count(*) AS task_count, coalesce(sum(requested_primaries) FILTER (WHERE state = 'PENDING'), 0) AS primaries
      FROM tasks WHERE job_key = open.id AND state IN ('PENDING', 'RUNNING')) of_job
    WHERE most.is_unknown OR most.task_count > ${room.openTaskCount}::float8
      OR most.primaries > ${room.queuedPrimaries}::float8) of_tasks`;

/**
 * Tasks of a user that workers have, one row each. A job with such a task is RUNNING: only those are looked at, and of them only
 * tasks that run (index tasks_open), so that it is no longer for long queues, for a long history, or for what others run.
 */
export const runningOf = (ownerId: Sql): Sql => sql`
  SELECT 1 FROM (SELECT id FROM jobs WHERE owner_id = ${ownerId} AND state = 'RUNNING' OFFSET 0) running_job
  CROSS JOIN LATERAL (
    SELECT 1 FROM tasks JOIN attempts ON attempts.task_key = tasks.id
    WHERE tasks.job_key = running_job.id AND tasks.state = 'RUNNING'
      AND attempts.ended_at IS NULL AND attempts.lease_expires_at IS NOT NULL) running_task`;
