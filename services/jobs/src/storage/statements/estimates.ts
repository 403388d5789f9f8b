import { type Sql, sql } from '@tally/service-kit';
import type { RunQuery } from '../../domain/ports.js';
import { IS_DUE, IS_IN_FLIGHT } from './outbox.js';

/** Jobs of an engine that are looked at, the last ones. */
const RUNS_MAX = 100;
/** Of the same project, beside those. */
const SAME_RUNS_MAX = 20;

interface RunRow {
  readonly seconds: number;
  readonly modelSeconds: number;
  readonly isSame: boolean;
  readonly isAlike: boolean;
}

interface WaitingRow {
  readonly ownerId: bigint;
  readonly isOwn: boolean;
  readonly executable: string | null;
  readonly queuedCount: number;
  readonly dueCount: number;
}

/** Tasks that wait for a slot of the runners, by owner and executable; what is parked is not in the queue. */
export const listWaiting = (ownerId: bigint): Sql<WaitingRow> => sql<WaitingRow>`
  WITH waiting AS (
    SELECT job_key, count(*) FILTER (WHERE ${IS_IN_FLIGHT}) AS queued, count(*) FILTER (WHERE ${IS_DUE}) AS due FROM outbox GROUP BY job_key
    UNION ALL
    SELECT job_key, 0, count(*) FROM parked_messages GROUP BY job_key
  )
  SELECT owner_id AS "ownerId", owner_id = ${ownerId} AS "isOwn", executable,
    sum(queued)::int AS "queuedCount", sum(due)::int AS "dueCount"
  FROM waiting JOIN jobs ON jobs.id = job_key GROUP BY owner_id, executable`;

/**
 * Times of recent jobs of an engine beside those of its model. Tasks that took several attempts have times of all of them: they are left
 * out; those of clusters have no attempts here.
 */
export const listRuns = ({ engine, ownerId, kind, fingerprint, clusterName }: RunQuery): Sql<RunRow> => sql`
  WITH chosen AS (
    (SELECT cost.* FROM job_costs AS cost JOIN jobs ON jobs.id = job_key
      WHERE engine = ${engine} AND state = 'COMPLETED' ORDER BY job_key DESC LIMIT ${RUNS_MAX})
    UNION
    (SELECT cost.* FROM job_costs AS cost JOIN jobs ON jobs.id = job_key
      WHERE engine = ${engine} AND fingerprint = ${fingerprint} AND owner_id = ${ownerId} AND state = 'COMPLETED'
      ORDER BY job_key DESC LIMIT ${SAME_RUNS_MAX})
  )
  SELECT sum(date_part('epoch', tasks.end_time - tasks.start_time))::float8 AS seconds,
    sum(start_seconds + primary_seconds * simulated_primaries)::float8 AS "modelSeconds",
    fingerprint = ${fingerprint} AND owner_id = ${ownerId} AND is_here AS "isSame", kind = ${kind} AND is_here AS "isAlike"
  FROM chosen JOIN jobs ON jobs.id = chosen.job_key JOIN tasks ON tasks.job_key = chosen.job_key
    LEFT JOIN attempts ON attempts.id = current_attempt_id
    CROSS JOIN LATERAL (SELECT jobs.cluster_name IS NOT DISTINCT FROM ${clusterName ?? null}::text AS is_here) AS place
  WHERE tasks.state = 'COMPLETED' AND coalesce(attempts.number, 1) = 1 AND tasks.end_time > tasks.start_time
  GROUP BY chosen.job_key, fingerprint, owner_id, kind, is_here`;
