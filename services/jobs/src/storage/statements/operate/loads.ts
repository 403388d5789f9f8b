import { type Sql, sql } from '@tally/service-kit';
import type { Load, LoadKey } from '../../../domain/operate/operator-ports.js';
import { HELD_ATTEMPTS, IS_OPEN } from './jobs.js';

const LOADS_MAX = 1_000;

/** What the key of a load is, and which open jobs have one. */
const KEYS: Readonly<Record<Exclude<LoadKey, 'runner'>, { readonly key: Sql; readonly isPart: Sql }>> = {
  user: { key: sql`jobs.owner_id::text`, isPart: sql`true` },
  cluster: { key: sql`coalesce(jobs.cluster_name, '')`, isPart: sql`jobs.platform = 'batch'` },
  simulator: { key: sql`coalesce(jobs.executable, jobs.simulator)`, isPart: sql`true` },
  group: { key: sql`coalesce(jobs.group_id, '')`, isPart: sql`true` },
  reason: { key: sql`jobs.waiting_reason`, isPart: sql`jobs.waiting_reason IS NOT NULL` },
};

/** What runs and waits, summed up, the largest first. */
export const listLoads = (by: LoadKey): Sql<Load> => (by === 'runner' ? loadsOfRunners() : loadsOfJobs(by));

const loadsOfJobs = (by: Exclude<LoadKey, 'runner'>) => sql<Load>`
  SELECT ${KEYS[by].key} AS key, count(*)::int AS "openJobCount", sum(running)::int AS "runningTaskCount",
    sum(pending)::int AS "pendingTaskCount", min(start_time) AS "oldestStartTime"
  FROM jobs CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE state = 'RUNNING') AS running, count(*) FILTER (WHERE state = 'PENDING') AS pending
    FROM tasks WHERE job_key = jobs.id AND state IN ('PENDING', 'RUNNING') OFFSET 0) counted
  WHERE ${IS_OPEN} AND ${KEYS[by].isPart}
  GROUP BY 1 ORDER BY sum(running + pending) DESC, 1 LIMIT ${LOADS_MAX}`;

const loadsOfRunners = () => sql<Load>`
  SELECT held.runner_id AS key, count(DISTINCT job_key)::int AS "openJobCount", count(*)::int AS "runningTaskCount",
    0 AS "pendingTaskCount", NULL::timestamptz AS "oldestStartTime"
  FROM ${HELD_ATTEMPTS} JOIN tasks ON tasks.id = held.task_key
  GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${LOADS_MAX}`;
