import { type Sql, sql } from '@tally/service-kit';
import type { RunnerCounts, WaitingJob } from '../../domain/direct/wait-ports.js';
import { EXTERNAL_WORKER } from '../../domain/work.js';
import { IS_RUNNABLE, LIVE_EXECUTABLES } from './parking.js';
import { runningOf } from './usage.js';

/** Runners that live, those of them that are drained, and tasks that runners have. */
export const countRunners = () => sql<RunnerCounts>`
  SELECT (SELECT count(*)::int FROM runners WHERE expires_at > now()) AS "runnerCount",
    (SELECT count(*)::int FROM runners WHERE expires_at > now() AND draining_since IS NOT NULL) AS "drainingCount",
    (SELECT count(*)::int FROM attempts
     WHERE ended_at IS NULL AND lease_expires_at IS NOT NULL AND runner_id <> ${EXTERNAL_WORKER}) AS "takenCount"`;

/** Messages of it wait, nobody has had a task of it for so long, and nobody has one. The tasks are few reads of the index tasks_open. */
const waitsFor = (afterMs: number) => sql`(
  EXISTS (SELECT 1 FROM outbox WHERE job_key = jobs.id)
  AND NOT EXISTS (SELECT 1 FROM tasks WHERE job_key = jobs.id AND state = 'RUNNING')
  AND EXISTS (SELECT 1 FROM tasks WHERE job_key = jobs.id AND state = 'PENDING'
    AND last_update_time < now() - ${afterMs}::float8 * interval '1 ms'))`;

/** Users of waiting jobs that have as many running tasks as they may have: each is counted once, and no further than that. */
const atLimit = (runningMax: number) => sql`at_limit AS MATERIALIZED (
    SELECT owner_id FROM (
      SELECT owner.owner_id, coalesce((
        SELECT running_tasks FROM quotas WHERE kind = 'user' AND subject_id = owner.owner_id::text), ${runningMax}::int)::bigint AS most
      FROM (
        SELECT DISTINCT owner_id FROM jobs WHERE platform = 'direct' AND state IN ('UNKNOWN', 'PENDING', 'RUNNING')) owner
      OFFSET 0) bounded
    WHERE most > 0
      AND (SELECT count(*) FROM (${runningOf(sql`bounded.owner_id`)} LIMIT bounded.most) running) >= most)`;

/** Jobs that do not say what they wait for, and jobs that say so and do not. Those that wait to be merged say it themselves. */
export const listWaits = (
  reasons: Readonly<Record<'executable' | 'owner' | 'runner', string>>,
  { afterMs, limit, runningMax }: { readonly afterMs: number; readonly limit: number; readonly runningMax: number },
): Sql<WaitingJob> => sql<WaitingJob>`
  WITH ${LIVE_EXECUTABLES}, ${atLimit(runningMax)}
  SELECT job_id AS "jobId", state, executable, wait
  FROM jobs CROSS JOIN LATERAL (
    SELECT CASE
      WHEN executable IS NOT NULL AND NOT ${IS_RUNNABLE} AND EXISTS (SELECT 1 FROM parked_messages WHERE job_key = jobs.id)
        THEN 'executable'
      WHEN NOT ${waitsFor(afterMs)} THEN NULL
      WHEN jobs.owner_id IN (SELECT owner_id FROM at_limit) THEN 'owner'
      ELSE 'runner' END AS wait) found
  WHERE platform = 'direct' AND state IN ('UNKNOWN', 'PENDING', 'RUNNING') AND CASE wait
    WHEN 'executable' THEN NOT starts_with(coalesce(waiting_reason, ''), ${reasons.executable})
    WHEN 'owner' THEN waiting_reason IS DISTINCT FROM ${reasons.owner}::text
    WHEN 'runner' THEN waiting_reason IS DISTINCT FROM ${reasons.runner}::text
    ELSE waiting_reason IS NOT NULL END
  ORDER BY jobs.id LIMIT ${limit}`;
