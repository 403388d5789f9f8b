import { type Sql, sql } from '@tally/service-kit';
import type { Usage } from '../domain/submit/quotas.js';

/** Of one user's jobs only one is stored or extended at a time: the quotas are exact. @param owners - query of users */
export const lockQuotas = (owners: Sql): Sql =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('quota ' || owner_id, 0)) FROM (${owners}) owners (owner_id)`;

/** What a user has; tasks that have ended are not read (index tasks_open). @param owners - query of one user */
export const usageOf = (owners: Sql): Sql<Usage> => sql<Usage>`
  SELECT count(*)::int AS "openJobCount", coalesce(sum(task_count), 0)::int AS "openTaskCount",
    coalesce(sum(primaries), 0)::float8 AS "queuedPrimaries"
  FROM (SELECT id FROM jobs WHERE owner_id IN (${owners})
      AND state IN ('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING') OFFSET 0) open
    CROSS JOIN LATERAL (
      SELECT count(*) AS task_count, sum(requested_primaries) FILTER (WHERE state = 'PENDING') AS primaries
      FROM tasks WHERE job_key = open.id AND state IN ('PENDING', 'RUNNING')) of_job`;

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
